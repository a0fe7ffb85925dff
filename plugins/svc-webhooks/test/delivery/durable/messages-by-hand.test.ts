/** Messages sent by hand where deliveries are durable: they live in memory all the same, and none goes uncounted. */

import type { Queue } from 'svc-queue'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { deliveriesStore } from '../../../src/delivery/deliveries-queue.ts'
import type { DispatchLimits } from '../../../src/delivery/dispatcher.ts'
import { webhooksStore } from '../../../src/endpoints/endpoint-store.ts'
import { aDispatcher, anEndpoint, answered, settle } from '../../support/delivery-fixtures.ts'

async function started(limits: Partial<DispatchLimits>) {
  const clock = new ManualClock()
  const silent = { once: false }
  const stored = deliveriesStore.open(memoryDatabase({ clock }), { clock })
  const queue: Queue = {
    admit: (worker, jobs) => stored.admit(worker, jobs),
    claim: (worker, limit, room) => stored.claim(worker, limit, room),
    settle: (worker, outcomes) => stored.settle(worker, outcomes),
    reschedule: (lane, limit) => stored.reschedule(lane, limit),
    discard: (lane) => stored.discard(lane),
    counts: () => stored.counts(),
    pending: (lane, limit) => stored.pending(lane, limit),
    leave: (worker) => stored.leave(worker),
    async heartbeat(worker) {
      if (!silent.once) return stored.heartbeat(worker)
      silent.once = false
      return false
    }
  }
  const store = inMemory(webhooksStore, { clock })
  const fixture = aDispatcher(limits, { store, clock, durable: { queue, retryScheduleS: [5] } })
  const endpoints = [await anEndpoint(fixture), await anEndpoint(fixture, { id: 'wh_2' })] as const
  await fixture.dispatcher.start()
  fixture.transport.answer = null
  return { ...fixture, clock, endpoints, silent }
}

t.test('one that another displaces is dropped, and counted as such', async (t) => {
  const { dispatcher, transport, endpoints } = await started({ maxQueue: 4, maxConcurrent: 1 })
  for (let index = 0; index < 4; index += 1) await dispatcher.sendTest(endpoints[0])
  await dispatcher.sendTest(endpoints[1])
  t.strictSame([dispatcher.droppedOf('wh_1'), dispatcher.droppedOf('wh_2')], [1, 0])
  t.match(await dispatcher.state(), { dropped: 1 })
  transport.answer = () => answered(200)
  transport.finish(answered(200))
  await settle(10)
  t.equal(transport.sent.length, 4)
  await dispatcher.close()
})

t.test('an instance that was found silent sends them all the same', async (t) => {
  const { dispatcher, transport, endpoints, silent, clock } = await started({ maxConcurrent: 1 })
  for (let index = 0; index < 3; index += 1) await dispatcher.sendTest(endpoints[0])
  await settle()
  silent.once = true
  for (let second = 0; second < 6; second += 1) {
    clock.advance(1000)
    await settle(10)
  }
  t.notOk(silent.once, 'it was found silent')
  transport.answer = () => answered(200)
  transport.finish(answered(200))
  await settle(10)
  t.equal(transport.sent.length, 3)
  t.equal(dispatcher.droppedOf('wh_1'), 0)
  await dispatcher.close()
})

t.test('a stop counts those that wait as lost', async (t) => {
  const { dispatcher, transport, endpoints, lines } = await started({ maxConcurrent: 1 })
  for (let index = 0; index < 3; index += 1) await dispatcher.sendTest(endpoints[0])
  await settle()
  dispatcher.drain()
  transport.finish(answered(200))
  await dispatcher.close()
  t.match(lines.at(-1), { level: 'warn', fields: { code: 'SVC_WEBHOOKS_LOST', lost: 2 } })
})

t.test(
  'one whose endpoint another instance deletes meanwhile leaves no record, whatever its receiver answers',
  async (t) => {
    for (const status of [200, 400, 503]) {
      const { dispatcher, transport, endpoints, store } = await started({})
      await dispatcher.sendTest(endpoints[0])
      await dispatcher.sendTest(endpoints[1])
      await settle(10)
      await store.delete('wh_1')
      transport.finish(answered(status))
      await settle(10)
      t.strictSame([dispatcher.deliveries('wh_1').length, dispatcher.deliveries('wh_2').length], [0, 1], String(status))
      await dispatcher.close()
    }
  }
)
