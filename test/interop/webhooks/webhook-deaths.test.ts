/** Failures at the same time, on one instance and on two: an endpoint dies once. Bursts: bounded, whatever the receiver does. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { webhooksStore } from 'svc-webhooks/stores'
import t from 'tap'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { WebhookApp } from './webhook-app.ts'

t.test('eight failures at the same time: one event says that the endpoint is disabled', async (t) => {
  const receiver = await WebhookReceiver.start(t)
  const app = await WebhookApp.start(t, { options: { maxConcurrent: 32, autoDisableThreshold: 5 } })
  const { id } = await app.endpoint(receiver.url('/in'))
  receiver.status = () => null
  app.record(8)
  await receiver.until(() => receiver.waiting === 8)
  receiver.answerAll(400)
  await app.told('failed', 8)
  t.match(await app.fastify.webhooks.find(id), { enabled: false, failureCount: 8, lastDeliveryError: 'HTTP 400' })
  t.match(app.recorded('webhook.disabled'), [{ resource: id, outcome: 'failure' }])
  t.equal(app.recorded('webhook.disabled').length, 1)
  app.record()
  t.equal(app.count('enqueued'), 8, 'nothing is delivered to it any more')
})

t.test('two instances on one store: one of them says it', async (t) => {
  const receiver = await WebhookReceiver.start(t)
  const clock = new ManualClock()
  const store = inMemory(webhooksStore, { clock })
  const options = { maxConcurrent: 16, autoDisableThreshold: 6 }
  const one = await WebhookApp.start(t, { store, clock, options })
  const { id } = await one.endpoint(receiver.url('/in'))
  const other = await WebhookApp.start(t, { store, clock, options })
  receiver.status = () => null
  one.record(4)
  other.record(4)
  await receiver.until(() => receiver.waiting === 8)
  receiver.answerAll(404)
  await Promise.all([one.told('failed', 4), other.told('failed', 4)])
  t.match(await store.find(id), { enabled: false, failureCount: 8 })
  t.equal([one, other].flatMap((app) => app.recorded('webhook.disabled')).length, 1)
})

t.test('W5: an endpoint made on another instance gets the first event after the time of the snapshot', async (t) => {
  const receiver = await WebhookReceiver.start(t)
  const clock = new ManualClock()
  const store = inMemory(webhooksStore, { clock })
  const one = await WebhookApp.start(t, { store, clock })
  const other = await WebhookApp.start(t, { store, clock })
  await one.endpoint(receiver.url('/in'))
  other.record()
  t.equal(other.count('enqueued'), 0)
  clock.advance(30_000)
  other.record()
  await new Promise((resolve) => setImmediate(resolve))
  other.record()
  await other.told('delivered', 2)
  t.equal(other.count('enqueued'), 2)
})

t.test('5000 events to an endpoint that never answers: 4000 dropped, few connections', async (t) => {
  const receiver = await WebhookReceiver.start(t)
  const app = await WebhookApp.start(t)
  const { id } = await app.endpoint(receiver.url('/in'))
  receiver.status = () => null
  app.record(5000)
  await receiver.until(() => receiver.waiting > 0)
  t.match((await app.fastify.webhooks.stats()).queue, { dropped: 4000 })
  t.equal((await app.fastify.webhooks.find(id)).dropped, 4000)
  receiver.status = () => 200
  receiver.answerAll(200)
  await app.told('delivered', 1000)
  t.ok(receiver.mostConnections <= 8, `${receiver.mostConnections} connections`)
  t.equal(receiver.received.length, 1000)
  t.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1000)
})

t.test('events about webhooks are delivered to nobody', async (t) => {
  const receiver = await WebhookReceiver.start(t)
  const app = await WebhookApp.start(t)
  const { id } = await app.endpoint(receiver.url('/in'), ['*', 'webhook.*'])
  await app.fastify.webhooks.update(id, { description: 'changed' })
  await app.fastify.webhooks.rotate(id)
  t.equal(app.recorded('webhook.rotated').length, 1)
  t.equal(app.count('enqueued'), 0)
  app.record()
  await app.told('delivered')
  t.equal(receiver.received.length, 1)
})
