/** J11: a delivery that a receiver verifies, with our receiver and with one that shares no code with us. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import t, { type Test } from 'tap'
import { Browser } from '../support/account-app.ts'
import { HookedApp, type Json, LOCAL } from '../support/hooked-app.ts'
import { portOf } from '../support/ports.ts'
import { until } from '../support/until.ts'

/** The verification of Standard Webhooks, written from its text: key, signed content, list of signatures, tolerance. */
function verified(secret: string, headers: IncomingHttpHeaders, body: Buffer, nowS: number): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  if (Math.abs(nowS - Number(timestamp)) > 300) return false
  const expected = createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]))
    .digest()
  return signatures.split(' ').some((part) => {
    const [version, value = ''] = part.split(',')
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

interface Taken {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Somebody else's receiver. */
async function foreignReceiver(t: Test) {
  const taken: Taken[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    taken.push({ headers: request.headers, body: Buffer.concat(chunks) })
    response.end()
  })
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { taken, url: `http://127.0.0.1:${portOf(server)}/hook` }
}

async function delivered(admin: { call(method: string, path: string): Promise<Json> }, id: string, count = 1) {
  return until(async () => {
    const { deliveries } = (await admin.call('GET', `/${id}/deliveries`)).body
    return deliveries.length >= count ? deliveries : null
  }, `${count} deliveries`)
}

t.test('a wrong login reaches the receiver, signed', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  const { endpoint, secret } = await admin.register(app.sink, ['login.*'])
  const url = `${app.sink}?secret=${encodeURIComponent(secret)}`
  t.equal((await admin.call('PATCH', `/${endpoint.id}`, { url })).status, 200)
  t.equal((await new Browser(app.port).login('admin', 'wrong')).status, 401)

  const [message] = await until(async () => {
    const received = await app.received()
    return received.length > 0 ? received : null
  }, 'a message')
  t.match(message, { verified: true, repeat: false, type: 'login.failure', status: 200 })
  t.match(message.headers, {
    'content-type': 'application/json',
    'user-agent': 'Svc-Webhooks/1.0',
    'webhook-id': /^msg_[\w-]+$/,
    'webhook-timestamp': /^\d{10}$/,
    'webhook-signature': /^v1,[A-Za-z0-9+/]{43}=$/
  })
  const body = JSON.parse(message.body)
  t.match(body, {
    id: message.headers['webhook-id'],
    timestamp: new Date(app.clock.now()).toISOString(),
    type: 'login.failure',
    data: { category: 'auth', action: 'login.failure', outcome: 'failure', ts: app.clock.now() }
  })

  const deliveries = await delivered(admin, endpoint.id)
  t.match(deliveries, [
    { ok: true, status: 200, attempt: 1, outcome: 'delivered', error: null, messageId: body.id, type: 'login.failure' }
  ])
  t.equal(deliveries.length, 1, 'exactly one')
  t.equal(deliveries[0].requestBody, message.body)
  const view = (await admin.call('GET', `/${endpoint.id}`)).body
  t.match(view, { failureCount: 0, lastDeliveryStatus: 200, lastDeliveryAt: app.clock.now(), lastDeliveryError: null })
  t.match((await admin.call('GET', '/stats')).body, {
    total: 1,
    active: 1,
    failing: 0,
    queue: { size: 0, inFlight: 0 }
  })
  t.notOk(JSON.stringify(app.lines).includes(secret.slice(6)), 'no secret in the log')
})

t.test('a receiver that shares no code with us accepts the same bytes, and nothing else', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  const receiver = await foreignReceiver(t)
  const { secret } = await admin.register(receiver.url)
  app.record()
  const { headers, body } = await until(() => receiver.taken[0] ?? null, 'a message')
  const nowS = app.clock.now() / 1000
  t.ok(verified(secret, headers, body, nowS))
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1))
  t.notOk(verified(secret, headers, rewritten, nowS), 'a body that was parsed and written again')
  t.notOk(verified(secret, { ...headers, 'webhook-id': 'msg_other' }, body, nowS), 'another id')
  t.notOk(verified(secret, headers, body, nowS + 412), 'too late')
  t.notOk(verified(`whsec_${Buffer.alloc(32).toString('base64')}`, headers, body, nowS), 'another secret')
  t.equal(headers.host, new URL(receiver.url).host)
  t.equal(Number(headers['content-length']), body.length)
})

t.test('a secret that is not URL-encoded: 401, not tried again, and the reason is shown', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  const { endpoint, secret } = await admin.register(`${app.sink}?secret=nothing`)
  // Some secrets survive without encoding: this one is made to hold a plus.
  await admin.call('PATCH', `/${endpoint.id}`, { url: `${app.sink}?secret=${secret.slice(0, -4)}+++=` })
  app.record()
  const [record] = await delivered(admin, endpoint.id)
  t.match(record, { ok: false, status: 401, attempt: 1, outcome: 'failed', responseBody: /URL-encode \?secret=/ })
  t.equal((await admin.call('GET', `/${endpoint.id}`)).body.failureCount, 1)
  const [message] = await app.received()
  t.match(message, { verified: false, reason: /URL-encode/ })
})

t.test('a clock that is far off: 400 that says how far', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  const receiver = await foreignReceiver(t)
  const { secret } = await admin.register(receiver.url)
  app.record()
  const { headers, body } = await until(() => receiver.taken[0] ?? null, 'a message')
  app.clock.advance(412_000)
  const late = await app.fastify.inject({
    method: 'POST',
    url: `/svc/test/webhooks/sink?secret=${encodeURIComponent(secret)}`,
    headers: headers as Record<string, string>,
    payload: body
  })
  t.strictSame([late.statusCode, late.json().message], [400, 'stale timestamp: 412 s'])
})

t.test('events about webhooks are never delivered, even to a star; a test message is, to one alone', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  const receiver = await foreignReceiver(t)
  const { endpoint } = await admin.register(receiver.url, ['*', 'webhook.*'])
  await admin.register(`${receiver.url}/other`, ['*'])
  await admin.call('POST', `/${endpoint.id}/reveal`)
  const sent = await admin.call('POST', `/${endpoint.id}/test`)
  t.equal(sent.status, 202)
  const [record] = await delivered(admin, endpoint.id)
  t.match(record, { messageId: sent.body.messageId, type: 'webhook.test', ok: true })
  t.strictSame(
    receiver.taken.map(({ headers }) => headers['webhook-id']),
    [sent.body.messageId],
    'one message, to one endpoint'
  )
  t.equal((await admin.call('GET', `/${endpoint.id}`)).body.lastDeliveryAt, null, 'not counted')
})

t.test('a message of the history again: the same id, a new signature, not counted', async (t) => {
  const app = await HookedApp.start(t, { webhooks: LOCAL })
  const admin = await app.login()
  const receiver = await foreignReceiver(t)
  const { endpoint, secret } = await admin.register(receiver.url)
  app.record()
  const [record] = await delivered(admin, endpoint.id)
  app.clock.advance(60_000)
  const path = `/${endpoint.id}/deliveries/${record.messageId}/resend`
  t.strictSame((await admin.call('POST', path)).body, { messageId: record.messageId })
  const again = await until(() => receiver.taken[1] ?? null, 'the message again')
  const [first] = receiver.taken
  t.ok(again.body.equals(first?.body ?? Buffer.alloc(0)), 'the same bytes')
  t.equal(again.headers['webhook-id'], first?.headers['webhook-id'])
  t.not(again.headers['webhook-signature'], first?.headers['webhook-signature'])
  t.ok(verified(secret, again.headers, again.body, app.clock.now() / 1000))
  t.equal((await admin.call('POST', `/${endpoint.id}/deliveries/msg_unknown/resend`)).status, 404)
  const resent = app.fastify.audit.recent(50).find(({ reason }) => reason === 'resend')
  t.match(resent, { action: 'webhook.test', resource: endpoint.id, metadata: { messageId: record.messageId } })
})
