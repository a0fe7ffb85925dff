/** A queue driver of an application's own: the published suite judges it, and svc-webhooks delivers from it. */
import { join } from 'node:path'
import Fastify from 'fastify'
import svcAudit from 'svc-audit'
import { queueConformance } from 'svc-queue/conformance'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import svcWebhooks, { verifyWebhook } from 'svc-webhooks'
import { webhooksStore } from 'svc-webhooks/stores'
import t from 'tap'
import { until } from '../../support/until.ts'
import { WebhookReceiver } from '../../support/webhook-receiver.ts'
import { SqliteQueue } from './sqlite-queue.ts'

t.test('the suite', (t) =>
  queueConformance(t, {
    makeStore: ({ clock }) => new SqliteQueue(':memory:', () => clock.now()),
    closeStore: (queue) => (queue as SqliteQueue).close(),
    faults: null,
    lanes: false
  })
)

t.test('a delivery that one process leaves is made by the next one', async (t) => {
  const path = join(t.testdir(), 'queue.sqlite')
  const receiver = await WebhookReceiver.start(t)
  const webhooks = inMemory(webhooksStore, { clock: new ManualClock() })
  const start = async () => {
    const queue = new SqliteQueue(path, Date.now)
    const fastify = Fastify()
    await fastify.register(svcAudit)
    await fastify.register(svcWebhooks, {
      encryptionKey: Buffer.alloc(32, 7).toString('base64'),
      allowHttp: true,
      denyPrivateIps: false,
      retryScheduleS: [1],
      parts: { queue, stores: { webhooks } }
    })
    await fastify.ready()
    const close = async () => {
      await fastify.close()
      queue.close()
    }
    return { fastify, queue, close }
  }
  const one = await start()
  const { secret } = await one.fastify.webhooks.create({ url: receiver.url('/'), events: ['login.*'] })
  receiver.status = () => 503
  one.fastify.audit.record({ category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' })
  await until(() => receiver.received.length === 1, 'the first attempt')
  await one.close()
  receiver.status = () => 200
  const next = await start()
  t.teardown(next.close)
  await until(() => receiver.received.length === 2, 'the second attempt')
  const [first, second] = receiver.received
  t.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
  t.match(verifyWebhook({ secret, headers: second?.headers ?? {}, body: second?.body ?? '' }).id, /^msg_/)
  await until(async () => (await next.queue.counts()).held === 0, 'the outcome')
  t.strictSame(await next.queue.counts(), { waiting: 0, held: 0, oldestMs: null })
})
