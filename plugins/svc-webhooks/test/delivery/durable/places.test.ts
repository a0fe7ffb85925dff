/** Places that are kept for what is on its way in: a write and a claim at once do not take the same one. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { Places } from '../../../src/delivery/durable/places.ts'
import { DeliveryJob } from '../../../src/delivery/queue/delivery-job.ts'
import { DeliveryQueue } from '../../../src/delivery/queue/delivery-queue.ts'
import type { WebhooksConfig } from '../../../src/options.ts'
import { anEvent } from '../../support/delivery-fixtures.ts'

function aPlaces(endpointLimits: NonNullable<WebhooksConfig['endpointLimits']>) {
  const clock = new ManualClock()
  const bounds = { maxQueue: 100, maxConcurrent: 8 }
  const places = new Places({ queue: new DeliveryQueue(bounds), limits: { ...bounds, endpointLimits }, clock })
  return { clock, places }
}

const batch = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `msg_${index}`, endpointId: 'wh_1', event: anEvent() }))

for (const limits of [{ maxConcurrent: 3 }, { maxPerSecond: 3 }]) {
  t.test(`${Object.keys(limits)}: what a write may bring is not claimed, and the other way round`, async (t) => {
    const { places } = aPlaces(limits)
    t.strictSame([...places.wanted(batch(2))], ['msg_0', 'msg_1'])
    t.strictSame([...places.wanted(batch(2))], ['msg_0', 'msg_1'], 'written again, it has its own places')
    t.equal(places.claimable('wh_1'), 1)
    t.equal(places.claimable('wh_2'), 3, 'another has its own')
    places.stored()
    t.equal(places.wanted(batch(5)).size, 2, 'one is kept for the claim')
    places.stored()
    places.claimed()
    t.equal(places.wanted(batch(5)).size, 3)
  })
}

t.test('an attempt counts for a second after it began; one that never began frees its place at once', async (t) => {
  const { clock, places } = aPlaces({ maxPerSecond: 2 })
  const room = () => {
    const free = places.claimable('wh_1')
    places.claimed()
    return free
  }
  const [begun, given] = [
    new DeliveryJob('wh_1', anEvent(), 'msg_1', false),
    new DeliveryJob('wh_1', anEvent(), 'msg_2', false)
  ]
  places.hold(begun)
  places.hold(given)
  t.equal(room(), 0)
  places.leave(given)
  t.equal(room(), 1)
  begun.begunAt = clock.now()
  places.leave(begun)
  clock.advance(999)
  t.equal(room(), 1)
  clock.advance(1)
  t.equal(room(), 2)
})
