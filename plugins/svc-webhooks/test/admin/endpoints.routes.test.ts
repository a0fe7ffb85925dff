/** Endpoints over HTTP, from creation to deletion: what is shown, what is kept, what the journal is told. */
import t from 'tap'
import { webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { API, adminApp, letIn, openApp } from '../support/admin-app.ts'

const GIVEN = { url: 'https://a.example/hook', events: ['login.*'], description: 'first' }

t.test('without a jury, without an identity, without the role: 403, whatever is asked', async (t) => {
  const { fastify, call } = await adminApp(t)
  t.equal((await call('GET')).status, 403, 'no engine')
  letIn(fastify)
  const asks = [
    ['GET', ''],
    ['HEAD', ''],
    ['GET', '/stats'],
    ['GET', '/event-types'],
    ['GET', '/wh_x'],
    ['GET', '/wh_x/deliveries'],
    ['POST', ''],
    ['PATCH', '/wh_x'],
    ['DELETE', '/wh_x'],
    ['POST', '/wh_x/rotate'],
    ['POST', '/wh_x/reveal'],
    ['POST', '/wh_x/test'],
    ['POST', '/wh_x/deliveries/msg_x/resend']
  ] as const
  for (const [method, path] of asks) {
    const body = method === 'POST' || method === 'PATCH' ? { nonsense: 1 } : undefined
    const plain = await call(method, path, body, { headers: { 'x-roles': 'ROLE_USER' } })
    t.equal(plain.status, 403, `${method} ${path} as a plain user, before any validation`)
    const nobody = await fastify.inject({ method, url: `${API}${path}` })
    t.equal(nobody.statusCode, 403, `${method} ${path} as nobody`)
  }
  t.equal((await call('GET')).status, 200)
})

t.test('a creation: 201, a place, the view and the secret, once', async (t) => {
  const { call, clock, journal } = await openApp(t)
  const made = await call('POST', '', { ...GIVEN, metadata: { team: 'a' } })
  t.equal(made.status, 201)
  const { endpoint, secret } = made.body
  t.match(endpoint.id, /^wh_[\w-]{22}$/)
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.equal(made.headers.location, `${API}/${endpoint.id}`)
  t.equal(made.headers['cache-control'], 'no-store')
  t.strictSame(endpoint, {
    id: endpoint.id,
    ...GIVEN,
    enabled: true,
    tenantId: null,
    createdBy: 'root',
    createdAt: clock.now(),
    updatedAt: clock.now(),
    lastDeliveryAt: null,
    lastDeliveryStatus: null,
    lastDeliveryError: null,
    failureCount: 0,
    degraded: false,
    metadata: { team: 'a' },
    dropped: 0,
    warnings: [],
    headers: [],
    previousSecretEndsAt: null
  })
  t.match(journal.records, [
    { category: 'webhook', action: 'webhook.created', outcome: 'success', actor: 'root', resource: endpoint.id }
  ])

  const bare = secret.slice('whsec_'.length)
  for (const path of ['', `/${endpoint.id}`, `/${endpoint.id}/deliveries`, '/stats', '/event-types']) {
    const { status, text } = await call('GET', path)
    t.equal(status, 200, path)
    t.notOk(text.includes(bare) || text.includes('gcm1.') || text.includes('secretEnc'), `${path} shows no secret`)
  }
  t.notOk(JSON.stringify(journal.records).includes(bare), 'nor does the journal')
  t.strictSame((await call('GET', `/${endpoint.id}`)).body, endpoint)
})

t.test('created disabled, without a description', async (t) => {
  const { call } = await openApp(t)
  const { body } = await call('POST', '', { url: GIVEN.url, events: ['*'], enabled: false })
  t.match(body.endpoint, { enabled: false, description: null, metadata: {} })
})

t.test('the URL is kept in its normal form, and told to the journal by its origin alone', async (t) => {
  const { call, journal } = await openApp(t)
  const { body } = await call('POST', '', { ...GIVEN, url: 'HTTPS://A.example:443/x/../hook?token=t0p' })
  t.equal(body.endpoint.url, 'https://a.example/hook?token=t0p')
  t.notOk(JSON.stringify(journal.records).includes('t0p'))
})

t.test('a change: only what is given, checked again, told', async (t) => {
  const { call, clock, journal } = await openApp(t)
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  clock.advance(1000)
  const changed = await call('PATCH', `/${id}`, { description: null, events: ['login.success'], metadata: { a: [1] } })
  t.equal(changed.status, 200)
  t.match(changed.body, {
    id,
    url: GIVEN.url,
    description: null,
    events: ['login.success'],
    metadata: { a: [1] },
    updatedAt: clock.now()
  })
  t.match(journal.records.at(-1), {
    action: 'webhook.updated',
    resource: id,
    metadata: { fields: ['events', 'description', 'metadata'] }
  })
  const inside = await call('PATCH', `/${id}`, { url: 'https://inside.example/' })
  t.equal(inside.status, 422)
  t.equal(inside.body.code, 'SVC_WEBHOOKS_URL_REFUSED')
  t.equal((await call('GET', `/${id}`)).body.url, GIVEN.url, 'nothing changed')
})

t.test('enabled again, its failures are forgotten', async (t) => {
  const { call, fastify } = await openApp(t)
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  const { store } = fastify.stores.select(webhooksStore, 'auto')
  await store?.recordFailure(id, 500, 'HTTP 500')
  t.match((await call('PATCH', `/${id}`, { enabled: true })).body, { failureCount: 1 }, 'it was enabled all along')
  t.match((await call('PATCH', `/${id}`, { enabled: false })).body, { enabled: false, failureCount: 1 })
  t.match((await call('PATCH', `/${id}`, { enabled: true })).body, { enabled: true, failureCount: 0 })
})

t.test('a deletion is final', async (t) => {
  const { call, journal } = await openApp(t)
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  const gone = await call('DELETE', `/${id}`)
  t.strictSame([gone.status, gone.body], [200, { ok: true }])
  t.match(journal.records.at(-1), { action: 'webhook.deleted', resource: id, actor: 'root' })
  const { length } = journal.records
  for (const [method, path, body] of [
    ['GET', `/${id}`, undefined],
    ['GET', `/${id}/deliveries`, undefined],
    ['DELETE', `/${id}`, undefined],
    ['PATCH', `/${id}`, { enabled: true }],
    ['POST', `/${id}/rotate`, undefined],
    ['POST', `/${id}/reveal`, undefined],
    ['POST', `/${id}/test`, undefined]
  ] as const) {
    const answer = await call(method, path, body)
    t.strictSame([answer.status, answer.body.code], [404, 'SVC_WEBHOOKS_UNKNOWN'], `${method} ${path}`)
  }
  t.equal(journal.records.length, length, 'and tells the journal nothing more')
})

t.test('a store that fails: 503, and the cause in the log alone', async (t) => {
  const { call, fastify, lines } = await openApp(t)
  const { store } = fastify.stores.select(webhooksStore, 'auto')
  Object.assign(store as object, {
    list: async () => {
      throw new Error('connection to db.internal:27017 lost')
    }
  })
  const { status, body } = await call('GET')
  t.strictSame([status, body.code], [503, 'SVC_WEBHOOKS_UNAVAILABLE'])
  t.notMatch(JSON.stringify(body), /db\.internal/)
  t.ok(lines.some(({ code }) => code === 'SVC_WEBHOOKS_STORE'))
})

t.test('a store that does not answer: 503 within the bound, and no timer is left', async (t) => {
  const { call, fastify, clock, lines } = await openApp(t)
  await fastify.ready()
  const { store } = fastify.stores.select(webhooksStore, 'auto')
  Object.assign(store as object, { find: () => new Promise(() => undefined) })
  const before = clock.pending
  const answer = call('GET', '/wh_x')
  while (clock.pending === before) await new Promise((resolve) => setImmediate(resolve))
  clock.advance(10_000)
  t.match(await answer, { status: 503, body: { code: 'SVC_WEBHOOKS_UNAVAILABLE' } })
  t.equal(clock.pending, before)
  const told = lines.find(({ code }) => code === 'SVC_WEBHOOKS_STORE')
  t.match(told, { err: { code: 'SVC_WEBHOOKS_TIMEOUT' } })
})
