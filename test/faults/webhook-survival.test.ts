/**
 * A server whose deliveries wait in a database: killed or stopped, it loses none; each arrives at least once, under one id.
 * In the long run: what a dead process held waits for half a minute.
 */
import { verifyWebhook } from 'svc-webhooks'
import t, { type Test } from 'tap'
import { WebhookReceiver } from '../support/webhook-receiver.ts'
import { WebhookProcess } from './webhook-process.ts'

const DEADLINE_MS = 1000
const EVENTS = 60

/** What a dead process held is taken over after half a minute of silence. */
t.setTimeout(200_000)
/** So they wait beside each other. */
t.jobs = 2

const start = (t: Test, file: string) => WebhookProcess.start(t, 'sqlorm', DEADLINE_MS, file)

t.test('kill -9 with deliveries that wait, are held and are under way', { buffered: true }, async (t) => {
  const file = `${t.testdir()}/hooks.db`
  const receiver = await WebhookReceiver.start(t)
  receiver.status = () => null
  const server = await start(t, file)
  const { secret } = await server.register(receiver.url('/in'))
  await server.store(EVENTS)
  await receiver.until(() => receiver.waiting > 0)
  t.strictSame(await server.kill(), { code: null, signal: 'SIGKILL' })
  const ids = () => receiver.received.map(({ headers }) => String(headers['webhook-id']))
  const before = new Set(ids())
  receiver.status = () => 200
  const from = receiver.received.length

  const next = await start(t, file)
  t.equal(next.found.length, 1, 'the endpoint is known')
  await receiver.until(() => new Set(ids().slice(from)).size === EVENTS)
  const arrived = new Set(ids().slice(from))
  for (const id of before) t.ok(arrived.has(id), 'what was under way comes again under its id')
  for (const message of receiver.received) t.ok(verifyWebhook({ secret, ...message }))
  const { code } = await next.terminate()
  t.equal(code, 0)
  t.equal(next.lost, null)
})

t.test('SIGTERM while receivers hang: nothing is lost, and the next start sends it', { buffered: true }, async (t) => {
  const file = `${t.testdir()}/hooks.db`
  const receiver = await WebhookReceiver.start(t)
  receiver.status = () => null
  const server = await start(t, file)
  await server.register(receiver.url('/in'))
  await server.store(EVENTS)
  await receiver.until(() => receiver.waiting > 0)
  const { code } = await server.terminate()
  t.equal(code, 0)
  t.equal(server.lost, null)
  receiver.status = () => 200
  const from = receiver.received.length
  const next = await start(t, file)
  await receiver.until(
    () => new Set(receiver.received.slice(from).map(({ headers }) => headers['webhook-id'])).size === EVENTS
  )
  t.equal((await next.terminate()).code, 0)
})
