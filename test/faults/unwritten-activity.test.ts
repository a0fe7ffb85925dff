/**
 * A database that can be read and not written: an activity time that cannot be kept refuses nobody, however long it
 * lasts, and is logged once. What must be written is refused.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { CompiledQuery } from 'kysely'
import { hashPassword } from 'svc-security'
import { userStore } from 'svc-security/stores'
import svcSqlorm from 'svc-sqlorm'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { API, Browser, CHEAP, KEY_SET, PASSWORD } from '../support/account-app.ts'
import { json } from '../support/audited-app.ts'
import { ERROR } from '../support/log-lines.ts'
import { rawExchange, rawRequest } from '../support/raw-http.ts'
import { startApp } from '../support/start-app.ts'

const store = 'sqlorm'
const MINUTE = 60_000

const routes = fp(async (fastify: FastifyInstance) => {
  for (const zone of ['in', 'api']) fastify.get(`/${zone}/who`, async ({ user }) => ({ who: user?.identifier }))
})

t.test('R2: sessions and API keys hold while nothing can be written', { timeout: 60_000 }, async (t) => {
  const clock = new ManualClock(Date.now())
  const path = `${t.testdir({})}/shop.db`
  const { fastify, port, lines } = await startApp(t, {
    mode: 'test',
    before: [[svcSqlorm, { connectors: { default: { url: `sqlite:${path}` } }, parts: { clock } }]],
    security: {
      areas: {
        in: { pattern: '^/in', authenticators: ['session', 'anonymous'] },
        api: { pattern: '^/api', authenticators: ['apikey'] }
      },
      passwords: CHEAP,
      session: { store, idleTimeoutS: 1800, absoluteTimeoutS: 0 },
      users: { store },
      jwt: KEY_SET,
      tokenStore: { store },
      parts: { clock }
    },
    modules: [routes]
  })
  const password = await hashPassword(PASSWORD, { ...CHEAP, parallelism: 1 })
  await fastify.stores.select(userStore, store).store?.create({ identifier: 'alice', password, roles: [] })
  const alice = new Browser(port)
  await alice.login()
  const { token } = json(await alice.post(`${API}/keys`, { name: 'robot' }, await alice.csrf()))
  const pragma = (text: string) =>
    fastify.sqlorm.connection().run((db) => db.executeQuery(CompiledQuery.raw(`pragma ${text}`)))
  const who = async () => (await alice.call('GET', '/in/who')).body
  const robot = () => rawExchange(port, rawRequest('GET', '/api/who', { authorization: `Bearer ${String(token)}` }))

  await pragma('query_only = on')
  for (let minutes = 0; minutes < 90; minutes += 2) {
    clock.advance(2 * MINUTE)
    t.equal(await who(), '{"who":"alice"}', `after ${minutes + 2} minutes of activity`)
    t.equal((await robot()).status, 200)
  }
  t.equal((await new Browser(port).login()).status, 503, 'a login, which must be kept, is refused')
  const errors = lines.filter(({ level }) => level >= ERROR)
  t.equal(errors.length, 1, JSON.stringify(errors))
  t.match(errors, [{ code: 'SVC_ORM_UNWRITABLE' }])

  await pragma('query_only = off')
  // Long enough for a sweep, to which the stored time says that nothing was asked for ninety minutes.
  clock.advance(11 * MINUTE)
  await pause(200)
  t.equal(await who(), '{"who":"alice"}')
  const [session] = (await fastify.sessions.list({ user: 'alice' }, {})).items
  t.equal(session?.updatedAt, clock.now(), 'the activity is written again')

  await pragma('query_only = on')
  clock.advance(31 * MINUTE)
  t.equal(await who(), '{"who":"anonymous"}', 'a session without activity ends all the same')
  await fastify.close()
})
