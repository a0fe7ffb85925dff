/** Capacity that is kept for jobs on their way in: a write and a claim at once do not take the same room. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { Capacity } from '../../src/durable/capacity.ts'
import type { LaneLimits } from '../../src/options.ts'
import { LaneScheduler } from '../../src/scheduler/lane-scheduler.ts'
import { aJob } from '../support/jobs.ts'

function aCapacity(laneLimits: LaneLimits) {
  const clock = new ManualClock()
  const bounds = { maxQueue: 100, maxConcurrent: 8 }
  const capacity = new Capacity({ scheduler: new LaneScheduler(bounds), limits: { ...bounds, laneLimits }, clock })
  return { clock, capacity }
}

const batch = (count: number) => Array.from({ length: count }, (_, index) => aJob('wh_1', `msg_${index}`))
const ids = (jobs: ReturnType<Capacity['wanted']>) => Array.from(jobs, ({ id }) => id)

for (const limits of [{ maxConcurrent: 3 }, { maxPerSecond: 3 }]) {
  t.test(`${Object.keys(limits)}: what a write may bring is not claimed, and the other way round`, async (t) => {
    const { capacity } = aCapacity(limits)
    t.strictSame(ids(capacity.wanted(batch(2))), ['msg_0', 'msg_1'])
    t.strictSame(ids(capacity.wanted(batch(2))), ['msg_0', 'msg_1'], 'written again, it has its own room')
    t.equal(capacity.claimable('wh_1'), 1)
    t.equal(capacity.claimable('wh_2'), 3, 'another has its own')
    capacity.stored()
    t.equal(capacity.wanted(batch(5)).size, 2, 'one is kept for the claim')
    capacity.stored()
    capacity.claimed()
    t.equal(capacity.wanted(batch(5)).size, 3)
  })
}

t.test('an attempt counts for a second after it began; one that never began frees its room at once', async (t) => {
  const { clock, capacity } = aCapacity({ maxPerSecond: 2 })
  const room = () => {
    const free = capacity.claimable('wh_1')
    capacity.claimed()
    return free
  }
  const [begun, given] = [aJob('wh_1', 'msg_1'), aJob('wh_1', 'msg_2')]
  capacity.hold(begun)
  capacity.hold(given)
  t.equal(room(), 0)
  capacity.leave(given)
  t.equal(room(), 1)
  begun.begunAt = clock.now()
  capacity.leave(begun)
  clock.advance(999)
  t.equal(room(), 1)
  clock.advance(1)
  t.equal(room(), 2)
})
