/** A receiver that is back gets what waits for it at once, the oldest first; nothing else is brought forward. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { deliveriesStore } from '../../../src/delivery/deliveries-queue.ts'
import type { DispatchLimits } from '../../../src/delivery/dispatcher.ts'
import { aDispatcher, anEndpoint, answered, LOGIN, refused, settle } from '../../support/delivery-fixtures.ts'

async function pass(clock: ManualClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1000)
    await settle()
  }
}

async function started(limits?: Partial<DispatchLimits>) {
  const clock = new ManualClock()
  const queue = inMemory(deliveriesStore, { clock })
  const durable = { queue, retryScheduleS: [5, 36_000, 36_000], random: () => 0 }
  const one = aDispatcher(limits, { clock, durable })
  await anEndpoint(one)
  await one.dispatcher.start()
  return { ...one, clock, queue }
}

t.test('a receiver that is down for an hour gets all of it when it is back, the oldest first', async (t) => {
  const { clock, queue, transport, audit, dispatcher } = await started({ maxConcurrent: 1, maxQueue: 10 })
  t.teardown(() => dispatcher.close())
  transport.answer = () => refused
  for (let minute = 0; minute < 60; minute += 1) {
    audit.record(LOGIN)
    await pass(clock, 60)
  }
  t.match(await queue.counts(), { waiting: 60, held: 0 })
  transport.answer = () => answered(200)
  transport.sent.length = 0
  audit.record(LOGIN)
  await pass(clock, 30)
  const [first, ...rest] = transport.sent.map(({ body }) => JSON.parse(String(body)).data.id as string)
  t.equal(first, 'aud_61', 'the one that shows that it is back')
  t.strictSame(
    rest,
    Array.from({ length: 60 }, (_, index) => `aud_${index + 1}`)
  )
  t.strictSame(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
})

t.test('a message that is refused between others that are taken keeps its schedule', async (t) => {
  const { clock, queue, transport, audit, dispatcher } = await started()
  t.teardown(() => dispatcher.close())
  transport.answer = ({ body }) => (String(body).includes('aud_2"') ? answered(500) : answered(200))
  for (let event = 0; event < 30; event += 1) {
    audit.record(LOGIN)
    await pass(clock, 20)
  }
  const refusals = transport.sent.filter(({ body }) => String(body).includes('aud_2"'))
  t.equal(refusals.length, 2)
  t.match(await queue.counts(), { waiting: 1 })
})

t.test('an answer that refuses for good brings nothing forward', async (t) => {
  const { clock, queue, transport, audit, dispatcher } = await started()
  t.teardown(() => dispatcher.close())
  transport.answer = () => refused
  audit.record(LOGIN)
  await pass(clock, 300)
  transport.answer = () => answered(404)
  audit.record(LOGIN)
  await pass(clock, 30)
  t.match(await queue.counts(), { waiting: 1 })
})
