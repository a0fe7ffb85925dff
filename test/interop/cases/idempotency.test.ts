/** Area `idempotency`: one effect per key (draft-ietf-httpapi-idempotency-key-header-07). */
import type { FastifyInstance } from 'fastify'
import type { ModuleEntry } from 'svc-host'
import { idempotencyStore } from 'svc-security/stores'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import { accountApp } from '../../support/account-app.ts'
import { securityCase } from './security-case.ts'

async function gatedApp(t: Test) {
  const effects: unknown[] = []
  const state = { gate: Promise.resolve() }
  const idempotency = inMemory(idempotencyStore, { clock: new ManualClock() })
  const kept: string[] = []
  const complete = idempotency.complete.bind(idempotency)
  idempotency.complete = async (id, owner, answer) => {
    kept.push(JSON.stringify(answer))
    return complete(id, owner, answer)
  }
  const orders: ModuleEntry = Object.assign(
    async (fastify: FastifyInstance) => {
      fastify.post('/in/orders', { ...fastify.gates.idempotency }, async ({ body }) => {
        effects.push(body)
        await state.gate
        return { secret: 'whsec_topsecret' }
      })
    },
    { [Symbol.for('skip-override')]: true }
  )
  const app = await accountApp(t, { modules: [orders], parts: { stores: { idempotency } } })
  const person = app.browser()
  await person.login()
  const proof = await person.csrf()
  const post = (key: string | null, payload: object = { a: 1 }) =>
    person.post('/in/orders', payload, { ...proof, ...(key === null ? {} : { 'idempotency-key': key }) })
  return { effects, kept, post, state }
}

securityCase(
  'IDE-01',
  async (t) => {
    const { effects, post } = await gatedApp(t)
    t.equal((await post(null)).status, 200)
    t.equal((await post(null)).status, 200)
    t.equal(effects.length, 2)
  },
  'over HTTP it passes; over a WebSocket a key is demanded'
)

securityCase('IDE-03', async (t) => {
  const { effects, post } = await gatedApp(t)
  await post('k1')
  t.equal((await post('k1', { a: 2 })).status, 422)
  t.equal(effects.length, 1)
})

securityCase('IDE-04', async (t) => {
  const { effects, post, state } = await gatedApp(t)
  let finish: () => void = () => undefined
  state.gate = new Promise((resolve) => {
    finish = () => resolve()
  })
  const first = post('k1')
  while (effects.length === 0) await new Promise(setImmediate)
  t.equal((await post('k1')).status, 409)
  finish()
  t.equal((await first).status, 200)
  t.equal(effects.length, 1)
})

securityCase(
  'IDE-07',
  async (t) => {
    const { kept, post } = await gatedApp(t)
    const [first, again] = [await post('k1'), await post('k1')]
    t.equal(again.body, first.body)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.match(kept, [/gcm1\./])
    t.notMatch(kept.join(), /topsecret/)
  },
  'stored encrypted, under a key made from the idempotency key, for ten minutes'
)

securityCase('IDE-08', async (t) => {
  const { effects, post } = await gatedApp(t)
  for (const key of ['k'.repeat(10_240), 'k'.repeat(256), 'a\u0001b', 'a\tb', 'a b', '']) {
    t.equal((await post(key)).status, 400, JSON.stringify(key.slice(0, 10)))
  }
  t.equal(effects.length, 0)
})
