/** One effect per key; a repeated answer; secrets that no store can read. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { idempotencyStore } from '../../src/idempotency/idempotency-store.ts'
import { idempotencyHooks } from '../../src/idempotency/open-idempotency.ts'
import { loginApp } from '../support/login-app.ts'
import { HeaderAuthenticator } from '../support/tokens.ts'

async function gatedApp() {
  const clock = new ManualClock()
  const idempotency = inMemory(idempotencyStore, { clock })
  const kept: unknown[] = []
  const complete = idempotency.complete.bind(idempotency)
  idempotency.complete = async (id, owner, answer) => {
    kept.push({ id, answer })
    return complete(id, owner, answer)
  }
  const areas = { in: { pattern: '^/in', authenticators: ['key', 'anonymous'] } }
  const parts = { clock, stores: { idempotency }, authenticators: { key: new HeaderAuthenticator('key', 'apikey') } }
  const made = await loginApp({ areas }, parts)
  const effects: unknown[] = []
  let gate = Promise.resolve()
  const state = { status: 201, hold: (until: Promise<void>) => (gate = until) }
  await made.app.register(async (scope) => {
    scope.post('/in/things/:kind', { ...scope.gates.idempotency }, async (request, reply) => {
      effects.push(request.body)
      await gate
      reply.code(state.status).header('location', '/in/things/1').header('set-cookie', 'a=b')
      return { secret: 'whsec_topsecret', number: effects.length }
    })
  })
  const post = (key: string | undefined, payload: object = { a: 1 }, who = 'alice', url = '/in/things/x') =>
    made.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { ...(who === '' ? {} : { 'x-key': who }), ...(key === undefined ? {} : { 'idempotency-key': key }) }
    })
  return { ...made, clock, effects, kept, post, state }
}

t.test('the same request again: the same answer, one effect', async (t) => {
  const { app, effects, post } = await gatedApp()
  const [first, again] = [await post('k1'), await post('k1')]
  t.equal(effects.length, 1)
  t.equal(first.headers['idempotency-replayed'], undefined)
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.strictSame([again.statusCode, again.body, again.headers.location], [first.statusCode, first.body, '/in/things/1'])
  t.equal(again.headers['content-type'], first.headers['content-type'])
  t.equal(again.headers['set-cookie'], undefined)
  await app.close()
})

t.test('another request under the key: 422', async (t) => {
  const { app, effects, post } = await gatedApp()
  await post('k1')
  t.match((await post('k1', { a: 2 })).json(), { statusCode: 422, code: 'SVC_SEC_IDEMPOTENCY_MISMATCH' })
  t.equal((await post('k1', { a: 1 }, 'alice', '/in/things/y')).statusCode, 422)
  t.equal((await post('k1', { a: 1 }, 'alice', '/in/things/x?q=1')).statusCode, 422)
  t.equal(effects.length, 1)
  await app.close()
})

t.test('a key belongs to its caller', async (t) => {
  const { app, effects, post } = await gatedApp()
  await post('k1')
  t.equal((await post('k1', { a: 1 }, 'bob')).headers['idempotency-replayed'], undefined)
  t.equal(effects.length, 2)
  await app.close()
})

t.test('while the first is served: 409; of many at once one has an effect', async (t) => {
  const { app, effects, post, state } = await gatedApp()
  let finish = () => {}
  state.hold(new Promise<void>((resolve) => (finish = resolve)))
  const all = Array.from({ length: 10 }, () => post('k1'))
  const refused = await Promise.any(all)
  t.match(refused.json(), { statusCode: 409, code: 'SVC_SEC_IDEMPOTENCY_IN_FLIGHT' })
  finish()
  const served = (await Promise.all(all)).filter(({ statusCode }) => statusCode === 201)
  t.equal(served.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1)
  t.equal(effects.length, 1)
  await app.close()
})

t.test('an answer that says "again" frees the key; another one keeps it', async (t) => {
  const { app, effects, post, state } = await gatedApp()
  for (const status of [500, 503, 429, 409]) {
    state.status = status
    const before = effects.length
    await post(`k${status}`)
    await post(`k${status}`)
    t.equal(effects.length - before, 2, String(status))
  }
  state.status = 404
  await post('k404')
  t.equal((await post('k404')).headers['idempotency-replayed'], 'true')
  await app.close()
})

t.test('without a key, and for who is nobody, requests pass', async (t) => {
  const { app, effects, post } = await gatedApp()
  await post(undefined)
  await post(undefined)
  await post('k1', { a: 1 }, '')
  await post('k1', { a: 1 }, '')
  t.equal(effects.length, 4)
  await app.close()
})

t.test('what is no key: 400', async (t) => {
  const { app, effects, post } = await gatedApp()
  for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'x'.repeat(10_000), 'tab\there', 'ä']) {
    t.equal((await post(key)).statusCode, 400, key.slice(0, 10))
  }
  t.equal((await post('x'.repeat(255))).statusCode, 201)
  t.equal(effects.length, 1)
  await app.close()
})

t.test('what is kept shows neither the secret nor the key nor the caller', async (t) => {
  const { app, kept, post } = await gatedApp()
  await post('my-key-1')
  t.equal(kept.length, 1)
  t.notMatch(JSON.stringify(kept), /topsecret|my-key-1|alice/)
  t.match(JSON.stringify(kept), /gcm1\./)
  await app.close()
})

t.test('after its time a key is free', async (t) => {
  const { app, clock, effects, post } = await gatedApp()
  await post('k1')
  clock.advance(600_000)
  await post('k1')
  t.equal(effects.length, 2)
  await app.close()
})

t.test('where the brick is disabled, what asks to be done once is refused', async (t) => {
  const { app, post } = await gatedApp()
  app.post('/in/unkept', { ...idempotencyHooks(null) }, async () => 'done')
  const unkept = (key: string | undefined, who?: string) => post(key, { a: 1 }, who, '/in/unkept')
  t.match((await unkept('k1')).json(), { statusCode: 503, code: 'SVC_SEC_IDEMPOTENCY_UNAVAILABLE' })
  t.equal((await unkept(undefined)).body, 'done', 'no key, no promise')
  t.equal((await unkept('k1', '')).body, 'done', 'who is nobody has no keys of their own')
  await app.close()
})
