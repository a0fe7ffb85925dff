/** What one endpoint gets from one instance: never more than its limits, and nothing beyond them is held. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { deliveriesStore } from '../../../src/delivery/deliveries-queue.ts'
import type { WebhooksConfig } from '../../../src/options.ts'
import { aDispatcher, anEndpoint, answered, LOGIN, settle } from '../../support/delivery-fixtures.ts'

async function started(endpointLimits: NonNullable<WebhooksConfig['endpointLimits']>, names = ['wh_1']) {
  const clock = new ManualClock()
  const queue = inMemory(deliveriesStore, { clock })
  const durable = { queue, retryScheduleS: [1], random: () => 0 }
  const one = aDispatcher({ endpointLimits }, { clock, durable })
  for (const id of names) await anEndpoint(one, { id })
  await one.dispatcher.start()
  const close = async () => {
    one.transport.answer = () => answered(200)
    const closing = one.dispatcher.close()
    await settle()
    one.transport.finish(answered(200))
    await closing
  }
  return { ...one, clock, queue, close }
}

async function step(clock: ManualClock, ms: number): Promise<void> {
  clock.advance(ms)
  await settle()
}

t.test('no more attempts at one endpoint at a time; the rest waits in the queue, and all of it comes', async (t) => {
  const { clock, queue, transport, audit, dispatcher, close } = await started({ maxConcurrent: 2 }, ['wh_1', 'wh_2'])
  t.teardown(close)
  const open = (id: string) => transport.open.filter((url) => url.endsWith(id)).length
  // Both are known to be quick: their shares of the slots are larger than the limit.
  audit.record(LOGIN)
  await settle()
  transport.answer = null
  for (let index = 0; index < 40; index += 1) audit.record(LOGIN)
  let most = 0
  for (let turn = 0; turn < 400 && transport.sent.length < 82; turn += 1) {
    await step(clock, 10)
    most = Math.max(most, open('wh_1'), open('wh_2'))
    const { size, inFlight } = dispatcher.queue()
    t.ok(size + inFlight <= 4, 'no more is held')
    // Of those, the outcome of one may be on its way there.
    t.ok((await queue.counts()).held <= 5, 'nor marked as held')
    transport.finish(answered(200), { count: 1 })
  }
  t.equal(most, 2)
  t.equal(transport.sent.length, 82)
  t.equal(new Set(transport.sent.map(({ headers }) => headers['webhook-id'])).size, 82)
})

t.test('no more attempts within any second, retries among them, however they come', async (t) => {
  const { clock, queue, transport, audit, close } = await started({ maxPerSecond: 3 })
  t.teardown(close)
  const began: number[] = []
  transport.answer = () => {
    began.push(clock.now())
    return answered(began.length % 5 === 0 ? 503 : 200)
  }
  for (let turn = 0; turn < 200; turn += 1) {
    if (turn < 20) audit.record(LOGIN)
    await step(clock, 100)
  }
  for (const from of began) t.ok(began.filter((at) => at >= from && at < from + 1000).length <= 3)
  t.ok(began.length > 20, 'some were retried')
  t.match(await queue.counts(), { waiting: 0, held: 0 })
  t.ok((began.at(-1) ?? 0) - (began[0] ?? 0) < 12_000, 'the limit is used')
})

t.test('a message by hand is sent all the same', async (t) => {
  const { clock, store, transport, audit, dispatcher, close } = await started({ maxConcurrent: 1, maxPerSecond: 1 })
  t.teardown(close)
  audit.record(LOGIN)
  await settle()
  audit.record(LOGIN)
  await settle()
  t.equal(transport.sent.length, 1)
  await dispatcher.sendTest((await store.find('wh_1'))!)
  await settle()
  t.equal(transport.sent.length, 2)
  await step(clock, 1000)
  t.equal(transport.sent.length, 3)
})
