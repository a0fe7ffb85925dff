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

t.test('what a write did not bring is free again', async (t) => {
  const { capacity } = aCapacity({ maxConcurrent: 3 })
  capacity.wanted(batch(2))
  t.equal(capacity.claimable('wh_1'), 1)
  capacity.claimed()
  capacity.stored()
  t.equal(capacity.claimable('wh_1'), 3)
})

t.test('attempts at a time: a job counts from when it is held until it has left', async (t) => {
  const { capacity } = aCapacity({ maxConcurrent: 3 })
  const room = () => {
    const free = capacity.claimable('wh_1')
    capacity.claimed()
    return free
  }
  const [first, second] = [aJob('wh_1', 'msg_1'), aJob('wh_1', 'msg_2')]
  capacity.hold(first)
  capacity.hold(second)
  t.equal(room(), 1)
  capacity.leave(first)
  t.equal(room(), 2)
  capacity.leave({ ...aJob('wh_1'), manual: true })
  t.equal(room(), 2, 'jobs by hand do not count')
  capacity.leave(second)
  capacity.leave(aJob('wh_2'))
  t.strictSame([room(), capacity.claimable('wh_2')], [3, 3])
})

t.test('the room of a lane is no more than its scheduler has, and a batch no more than is free', async (t) => {
  const clock = new ManualClock()
  const limits = { maxQueue: 4, maxConcurrent: 8, laneLimits: { maxConcurrent: 100 } }
  const scheduler = new LaneScheduler(limits)
  scheduler.presume('quick', 'quick')
  const capacity = new Capacity({ scheduler, limits, clock })
  t.strictSame([capacity.free, capacity.claimable('quick')], [4, 2])
  capacity.claimed()
  const jobs = ['1', '2', '3', '4', '5', '6'].map((id) => aJob(Number(id) % 2 === 0 ? 'quick' : 'new', id))
  t.strictSame(ids(capacity.wanted(jobs)).sort(), ['1', '2', '3', '4'])
  scheduler.admit(aJob('quick'))
  scheduler.admit(aJob('other'))
  t.strictSame([capacity.free, capacity.wanted(jobs).size], [2, 2])
})

t.test('of a batch for several lanes no more is wanted than is free in all', async (t) => {
  const clock = new ManualClock()
  const limits = { maxQueue: 10, maxConcurrent: 2 }
  const scheduler = new LaneScheduler(limits)
  for (const lane of ['a', 'b', 'c']) scheduler.presume(lane, 'quick')
  for (let index = 0; index < 6; index += 1) scheduler.admit(aJob('c'))
  const capacity = new Capacity({ scheduler, limits, clock })
  const jobs = ['a', 'a', 'a', 'b', 'b', 'b'].map((lane, index) => aJob(lane, String(index)))
  t.strictSame(ids(capacity.wanted(jobs)), ['0', '1', '2', '3'])
})

t.test('a clock that was set back keeps no attempt of the last second for ever', async (t) => {
  const { clock, capacity } = aCapacity({ maxPerSecond: 1 })
  const job = aJob('wh_1', 'msg_1')
  job.begunAt = clock.now()
  capacity.hold(job)
  capacity.leave(job)
  t.equal(capacity.claimable('wh_1'), 0)
  clock.advance(-1000)
  capacity.claimed()
  t.equal(capacity.claimable('wh_1'), 1)
})
