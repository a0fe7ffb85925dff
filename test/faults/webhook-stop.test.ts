/** A server that is stopped, or killed, while it delivers: it ends in time, and what it sent and kept is whole. */
import { verifyWebhook } from 'svc-webhooks'
import t from 'tap'
import { WebhookReceiver } from '../support/webhook-receiver.ts'
import { WebhookProcess } from './webhook-process.ts'

/** The drivers of the registry, and whether their endpoints outlive the process. */
const DRIVERS = [{ driver: 'memory', survives: false }]

const DEADLINE_MS = 1000

for (const { driver, survives } of DRIVERS) {
  t.test(`${driver}: SIGTERM while receivers hang`, async (t) => {
    const receiver = await WebhookReceiver.start(t)
    receiver.status = () => null
    const server = await WebhookProcess.start(t, driver, DEADLINE_MS)
    await server.register(receiver.url('/in'))
    server.record(50)
    await receiver.until(() => receiver.waiting > 0)
    const { code, deliveries } = await server.terminate()
    t.equal(code, 0, 'in less than the deadline and a second')
    t.strictSame(deliveries, [], 'what would have been tried again is not a failure of the receiver')
    t.equal(server.lost, 50, 'W3: what waited and what hung, to the last')
    t.ok(receiver.received.length < 50, 'nothing new was begun')
  })

  t.test(`W3: ${driver}: SIGTERM while a request is under way: what it records is lost, and counted`, async (t) => {
    const receiver = await WebhookReceiver.start(t)
    receiver.status = () => null
    const server = await WebhookProcess.start(t, driver, 5000)
    await server.register(receiver.url('/in'))
    const { answer } = await server.askLate(7)
    server.record(20)
    await receiver.until(() => receiver.waiting === 2)
    const stopping = server.terminate()
    t.equal(await answer, 'answered')
    receiver.answerAll(200)
    const { code, deliveries } = await stopping
    t.equal(code, 0)
    t.equal(deliveries.filter(({ ok }) => ok).length, 2)
    t.equal(server.lost, 25, 'eighteen that waited, seven that came later')
  })

  t.test(`${driver}: SIGTERM while receivers answer`, async (t) => {
    const receiver = await WebhookReceiver.start(t)
    receiver.status = () => null
    const server = await WebhookProcess.start(t, driver, 30_000)
    const { secret } = await server.register(receiver.url('/in'))
    server.record(2)
    await receiver.until(() => receiver.waiting === 2)
    const stopping = server.terminate()
    receiver.answerAll(200)
    const { code, deliveries } = await stopping
    t.equal(code, 0)
    t.match(deliveries, [
      { ok: true, status: 200 },
      { ok: true, status: 200 }
    ])
    for (const message of receiver.received) t.ok(verifyWebhook({ secret, ...message }))
  })

  t.test(`${driver}: SIGKILL while it delivers, then a new start`, async (t) => {
    const receiver = await WebhookReceiver.start(t)
    const server = await WebhookProcess.start(t, driver, DEADLINE_MS)
    const { secret } = await server.register(receiver.url('/in'))
    server.record(500)
    await receiver.until(() => receiver.received.length >= 20)
    t.strictSame(await server.kill(), { code: null, signal: 'SIGKILL' })
    const sent = receiver.received.length
    for (const message of receiver.received) t.ok(verifyWebhook({ secret, ...message }), 'what arrived whole is whole')
    t.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, sent)

    const next = await WebhookProcess.start(t, driver, DEADLINE_MS)
    t.equal(next.found.length, survives ? 1 : 0)
    for (const endpoint of next.found) t.match(endpoint, { url: receiver.url('/in'), enabled: true, failureCount: 0 })
    await next.register(receiver.url('/again'))
    next.record(1)
    await receiver.until(() => receiver.received.some(({ path }) => path === '/again'))
    const { code } = await next.terminate()
    t.equal(code, 0)
  })
}
