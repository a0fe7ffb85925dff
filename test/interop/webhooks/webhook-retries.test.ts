/** Retries over real sockets, and what an administrator changes while a message waits. The clock is the test's. */
import { verifyWebhook } from 'svc-webhooks'
import t, { type Test } from 'tap'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { WebhookApp } from './webhook-app.ts'

/** A message that was answered 503 and waits five seconds. */
async function waitingRetry(t: Test) {
  const receiver = await WebhookReceiver.start(t)
  const app = await WebhookApp.start(t)
  const { id, secret } = await app.endpoint(receiver.url('/in'))
  receiver.status = () => 503
  app.record()
  await app.told('retried')
  receiver.status = () => 200
  return { receiver, app, id, secret, webhooks: app.fastify.webhooks }
}

t.test('six sends in 155 s: one id and body, a signature for each', async (t) => {
  const receiver = await WebhookReceiver.start(t)
  const app = await WebhookApp.start(t)
  const { id, secret } = await app.endpoint(receiver.url('/in'))
  receiver.status = () => 500
  app.record()
  for (const [index, seconds] of [5, 10, 20, 40, 80].entries()) {
    await app.told('retried', index + 1)
    app.clock.advance(seconds * 1000)
  }
  await app.told('failed')
  const { received } = receiver
  t.equal(received.length, 6)
  const times = received.map(({ headers, body }) => {
    const start = Number(headers['webhook-timestamp'])
    return verifyWebhook({ secret, headers, body, now: () => start * 1000 }).timestamp
  })
  t.strictSame(
    times.map((time) => time - (times[0] ?? 0)),
    [0, 5, 15, 35, 75, 155]
  )
  t.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.equal(new Set(received.map(({ headers }) => headers['webhook-signature'])).size, 6)
  t.equal(new Set(received.map(({ body }) => body.toString())).size, 1)
  t.match(received[0]?.headers, { 'content-type': 'application/json', 'user-agent': 'Svc-Webhooks/1.0' })
  const [record] = await app.fastify.webhooks.deliveries(id)
  t.match(record, { attempt: 6, ok: false, status: 500, outcome: 'exhausted', responseBody: 'noted' })
  t.equal(record?.requestBody, received[0]?.body.toString())
  t.match(await app.fastify.webhooks.find(id), { failureCount: 1, lastDeliveryStatus: 500, enabled: true })
})

t.test('a secret rotated meanwhile signs the retry', async (t) => {
  const { app, receiver, id, secret: old, webhooks } = await waitingRetry(t)
  const { secret } = await webhooks.rotate(id)
  app.clock.advance(5000)
  await app.told('delivered')
  const { headers, body } = receiver.received[1]!
  const now = () => app.clock.now()
  t.equal(verifyWebhook({ secret, headers, body, now }).id, receiver.received[0]?.headers['webhook-id'])
  t.throws(() => verifyWebhook({ secret: old, headers, body, now }), { code: 'SVC_WEBHOOKS_SIGNATURE' })
})

t.test('a URL changed meanwhile gets the retry', async (t) => {
  const { app, receiver, id, webhooks } = await waitingRetry(t)
  await webhooks.update(id, { url: receiver.url('/elsewhere') })
  app.clock.advance(5000)
  await app.told('delivered')
  t.strictSame(
    receiver.received.map(({ path }) => path),
    ['/in', '/elsewhere']
  )
})

t.test('an endpoint disabled meanwhile gets nothing', async (t) => {
  const { app, receiver, id, webhooks } = await waitingRetry(t)
  await webhooks.update(id, { enabled: false })
  app.clock.advance(5000)
  await app.told('discarded')
  t.equal(receiver.received.length, 1)
  t.match(await webhooks.find(id), { failureCount: 0, enabled: false })
})

t.test('an endpoint deleted meanwhile gets nothing, and what waited is gone at once', async (t) => {
  const { app, receiver, id, webhooks } = await waitingRetry(t)
  await webhooks.remove(id)
  t.equal(app.count('discarded'), 1)
  app.clock.advance(5000)
  t.equal(receiver.received.length, 1)
  t.match((await webhooks.stats()).queue, { size: 0, inFlight: 0 })
})

t.test('a test message and one sent again, over the wire', async (t) => {
  const { app, receiver, id, secret, webhooks } = await waitingRetry(t)
  app.clock.advance(5000)
  await app.told('delivered')
  const { messageId } = await webhooks.sendTest(id)
  await app.told('delivered', 2)
  const first = String(receiver.received[0]?.headers['webhook-id'])
  await webhooks.resend(id, first)
  await app.told('delivered', 3)
  const [, , tested, resent] = receiver.received
  for (const message of [tested!, resent!]) {
    t.doesNotThrow(() => verifyWebhook({ secret, ...message, now: () => app.clock.now() }))
  }
  t.equal(tested?.headers['webhook-id'], messageId)
  t.equal(JSON.parse(String(tested?.body)).type, 'webhook.test')
  t.equal(resent?.headers['webhook-id'], first)
  t.ok(resent?.body.equals(receiver.received[0]!.body))
})
