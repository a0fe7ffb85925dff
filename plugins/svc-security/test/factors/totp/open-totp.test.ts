/** The key under which the secrets of one-time codes rest where none is configured. */
import Fastify from 'fastify'
import { TOTP } from 'otpauth'
import type { Mode } from 'svc-kernel'
import { ensureStores, inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { openTotp } from '../../../src/factors/totp/open-totp.ts'
import { totpStore } from '../../../src/factors/totp/totp-store.ts'
import { factorApp } from '../../support/factor-app.ts'

const alice = { id: '7', identifier: 'alice' }

/** Enrols on one application, and verifies on the next of the same process, which has the same store. */
async function acrossReload(t: Test, mode: Mode): Promise<unknown> {
  const clock = new ManualClock()
  const { host } = await factorApp()
  const ready = inMemory(totpStore, { clock })
  const open = async () => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    const root = `/applications/of-${mode}`
    fastify.decorate('appHost', { name: 'app', root, mode, checkOnly: false, importModule: async () => ({}) })
    await ensureStores(fastify, { clock })
    const login = { addFactor: () => {} }
    return openTotp(fastify, { config: { store: 'memory' }, ready, clock, login, host })
  }
  const before = await open()
  const { secret } = await before.enroll(alice)
  const code = () => new TOTP({ secret }).generate({ timestamp: clock.now() })
  await before.confirm(alice, code())
  clock.advance(60_000)
  const after = await open()
  return after.verify(alice, code())
}

t.test('N1: in development codes go on working after a reload', async (t) => {
  await t.resolves(acrossReload(t, 'development'))
})

t.test('N1: elsewhere each application has a key of its own', async (t) => {
  await t.rejects(acrossReload(t, 'test'))
})
