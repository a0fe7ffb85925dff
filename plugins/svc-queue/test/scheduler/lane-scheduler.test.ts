/** The queue: its bound, the turns of the lanes, their share of the slots, and who makes room for whom. */
import { ok, strictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Job } from '../../src/job.ts'
import type { QueueBounds } from '../../src/options.ts'
import { LaneScheduler } from '../../src/scheduler/lane-scheduler.ts'
import { aJob } from '../support/jobs.ts'

const job = (lane: string) => aJob(lane)

function fill(queue: LaneScheduler, lane: string, count: number): (Job | null)[] {
  return Array.from({ length: count }, () => queue.admit(job(lane)))
}

function takeAll(queue: LaneScheduler): Job[] {
  const taken: Job[] = []
  for (let next = queue.next(0); next !== undefined; next = queue.next(0)) taken.push(next)
  return taken
}

t.test('in a burst for one lane exactly what is beyond the bound is refused', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 1000, maxConcurrent: 8 })
  const refused = fill(queue, 'a', 5000).filter((one) => one !== null)
  t.equal(refused.length, 4000)
  t.equal(queue.size, 1000)
})

t.test('what is under way and what waits for a retry keep their places', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 3, maxConcurrent: 8 })
  fill(queue, 'a', 3)
  const [first, second] = takeAll(queue)
  queue.retryAt(first!, 5000)
  t.equal(queue.size, 3)
  t.equal(queue.inFlight, 1)
  t.not(queue.admit(job('a')), null)
  queue.finish(second!, 'quick')
  t.equal(queue.admit(job('a')), null)
  t.equal(queue.nextDue, 5000)
  queue.promote(4999)
  t.equal(takeAll(queue).length, 2)
  queue.promote(5000)
  t.equal(queue.next(0), first)
})

t.test('lanes take turns', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 100, maxConcurrent: 100 })
  for (const id of ['a', 'b', 'c']) queue.presume(id, 'quick')
  for (const id of ['a', 'a', 'a', 'b', 'c', 'b']) queue.admit(job(id))
  const order = takeAll(queue).map(({ lane }) => lane)
  t.equal(order.join(''), 'abcaba')
})

t.test('the share of a lane follows what was learnt of it, and whether it is alone', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 1000, maxConcurrent: 8 })
  fill(queue, 'a', 300)
  const running = takeAll(queue)
  const after = (change: () => void) => {
    change()
    running.push(...takeAll(queue))
    return running.length
  }
  t.equal(running.length, 2, 'a quarter while it is unproven')
  t.equal(
    after(() => queue.finish(running.pop()!, 'slow')),
    4
  )
  t.equal(
    after(() => queue.finish(running.pop()!)),
    4,
    'nothing was learnt'
  )
  t.equal(
    after(() => queue.finish(running.pop()!, 'quick')),
    8,
    'all, while no other lane has jobs'
  )
  const other = job('b')
  queue.admit(other)
  t.equal(
    after(() => queue.finish(running.pop()!, 'quick')),
    8,
    'the other takes the slot that gets free'
  )
  t.equal(running.at(-1), other)
  running.pop()
  t.equal(
    after(() => queue.retryAt(running.pop()!, 5000)),
    6,
    'it gets no more than its share, now that it is not alone'
  )
  queue.finish(other, 'quick')
  t.equal(
    after(() => queue.finish(running.pop()!, 'failing')),
    5
  )
})

t.test('a slot that one lane may not take is free for another', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 100, maxConcurrent: 4 })
  fill(queue, 'slow', 20)
  t.equal(takeAll(queue).length, 1)
  fill(queue, 'quick', 1)
  t.equal(queue.next(0)?.lane, 'quick')
})

t.test('a lane below its part displaces the newest job of the one that holds most', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 6, maxConcurrent: 2 })
  const jobs = [job('dead'), job('dead'), job('dead'), job('dead'), job('dead'), job('well')]
  for (const one of jobs) queue.admit(one)
  t.equal(queue.admit(job('other')), jobs[4])
  t.equal(queue.admit(job('well')), jobs[3])
  const refused = job('dead')
  t.equal(queue.admit(refused), refused, 'the one that holds most gets nothing')
  t.equal(queue.admit(job('other')), jobs[2])
  const third = job('other')
  t.equal(queue.admit(third), third, 'all hold the same')
  t.equal(queue.size, 6)
})

t.test('a lane that holds as much as the average displaces none, however much another holds', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 9, maxConcurrent: 2 })
  for (const [lane, count] of [
    ['most', 5],
    ['average', 3],
    ['least', 1]
  ] as const)
    fill(queue, lane, count)
  const refused = job('average')
  t.equal(queue.admit(refused), refused)
  t.equal(queue.admit(job('least'))?.lane, 'most')
})

t.test('where nothing waits for a slot the latest retry makes room; what is under way never does', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 3, maxConcurrent: 12 })
  const jobs = [job('dead'), job('dead'), job('dead')]
  for (const one of jobs) queue.admit(one)
  t.equal(takeAll(queue).length, 3)
  const early = job('well')
  t.equal(queue.admit(early), early, 'all are under way')
  queue.retryAt(jobs[0]!, 10_000)
  queue.retryAt(jobs[1]!, 20_000)
  t.equal(queue.admit(job('well')), jobs[1])
  t.equal(queue.nextDue, 10_000)
})

t.test('clearing takes out what waits, of one lane or of all, and leaves what is under way', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 100, maxConcurrent: 4 })
  fill(queue, 'a', 3)
  fill(queue, 'b', 3)
  const [a, b] = takeAll(queue)
  queue.retryAt(a!, 1)
  t.equal(queue.clear('a').length, 3)
  t.equal(queue.clear('nobody').length, 0)
  t.equal(queue.size, 3)
  t.equal(queue.clear().length, 2)
  t.equal(queue.size, 1)
  queue.finish(b!)
  t.equal(queue.size, 0)
  t.equal(queue.inFlight, 0)
})

t.test(
  'jobs of quick lanes that wait will run soon; those of others, and those under way, are not counted',
  async (t) => {
    const queue = new LaneScheduler({ maxQueue: 100, maxConcurrent: 2 })
    queue.presume('a', 'quick')
    fill(queue, 'a', 5)
    fill(queue, 'b', 5)
    t.equal(queue.soon, 5)
    queue.next(0)
    t.equal(queue.soon, 4)
  }
)

t.test('what waits in a lane: those that are due at once, then the retries with their times', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 100, maxConcurrent: 2 })
  t.strictSame(queue.pendingOf('a', 7), { running: 0, waiting: [] })
  queue.presume('a', 'quick')
  const jobs = [job('a'), job('a'), job('a')]
  for (const one of jobs) queue.admit(one)
  t.strictSame(takeAll(queue), jobs.slice(0, 2))
  fill(queue, 'b', 1)
  queue.retryAt(jobs[0]!, 5000)
  t.strictSame(queue.pendingOf('a', 7), {
    running: 1,
    waiting: [
      { job: jobs[2], dueAt: 7 },
      { job: jobs[0], dueAt: 5000 }
    ]
  })
})

t.test(
  'the health of a lane is presumed once, and kept while it has no jobs; of very many the oldest is forgotten',
  async (t) => {
    const queue = new LaneScheduler({ maxQueue: 100, maxConcurrent: 8 })
    const isQuick = (lane: string) => queue.room(lane) === 50
    queue.presume('a', 'quick')
    queue.presume('a', 'failing')
    t.ok(isQuick('a'), 'an attempt here knows better')
    for (let index = 1; index < 10_000; index += 1) queue.presume(`lane_${index}`, 'quick')
    t.ok(isQuick('a'))
    queue.presume('one more', 'quick')
    t.notOk(isQuick('a'))
    t.ok(isQuick('lane_1'))
    t.ok(isQuick('one more'))
  }
)

t.test(
  'room: half for quick lanes each, the other half for all others together, and no more than is free',
  async (t) => {
    const queue = new LaneScheduler({ maxQueue: 20, maxConcurrent: 4 })
    queue.presume('quick', 'quick')
    t.strictSame([queue.room('quick'), queue.room('new')], [10, 4], 'no more than slots for one that is not quick')
    fill(queue, 'quick', 3)
    t.strictSame([queue.room('quick'), queue.room('new')], [7, 4])
    fill(queue, 'new', 2)
    t.equal(queue.room('new'), 2)
    fill(queue, 'other', 1)
    t.strictSame([queue.room('new'), queue.room('other'), queue.room('third')], [2, 3, 3], 'shared by three')
    fill(queue, 'other', 6)
    t.strictSame([queue.room('new'), queue.room('other')], [1, -3], 'the half is nearly full')
    fill(queue, 'quick', 6)
    t.strictSame([queue.room('quick'), queue.size], [1, 18])
    fill(queue, 'new', 1)
    queue.presume('late', 'quick')
    t.equal(queue.room('late'), 1, 'one is free')
  }
)

t.test('a lane whose jobs have all ended takes no share: the other is alone again', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 100, maxConcurrent: 4 })
  for (const lane of ['a', 'b']) queue.presume(lane, 'quick')
  const last = job('b')
  queue.admit(last)
  t.equal(queue.next(0), last)
  fill(queue, 'a', 5)
  t.equal(takeAll(queue).length, 3)
  queue.finish(last)
  t.equal(takeAll(queue).length, 1)
})

t.test('attempts under way count for the lanes that are like theirs by now', async (t) => {
  const queue = new LaneScheduler({ maxQueue: 100, maxConcurrent: 8 })
  for (const lane of ['a', 'b', 'c']) queue.presume(lane, 'quick')
  for (const lane of ['a', 'b', 'c']) fill(queue, lane, 1)
  const [one, two, three] = takeAll(queue)
  for (const lane of ['new', 'well']) fill(queue, lane, 3)
  queue.forget('nobody')
  queue.presume('well', 'quick')
  for (const lane of ['a', 'b', 'c']) queue.forget(lane)
  const taken = takeAll(queue).map(({ lane }) => lane)
  t.strictSame(taken, ['well', 'well', 'well'], 'three of eight slots are for all that are not quick')
  for (const done of [one, two, three]) queue.finish(done!, 'quick')
  t.equal(queue.next(0)?.lane, 'new')
})

/** The queue, and what must be in it. */
class Watched {
  readonly #queue: LaneScheduler
  readonly #bounds: QueueBounds
  readonly #held = new Set<Job>()
  readonly #running: Job[] = []

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
    this.#queue = new LaneScheduler(bounds)
  }

  admit(lane: string): void {
    const one = job(lane)
    this.#held.add(one)
    const out = this.#queue.admit(one)
    if (out !== null) ok(this.#held.delete(out))
  }

  next(): void {
    const one = this.#queue.next(0)
    if (one !== undefined) this.#running.push(one)
  }

  finish(): void {
    const one = this.#running.shift()
    if (one === undefined) return
    ok(this.#held.delete(one), 'what is under way is never displaced')
    this.#queue.finish(one)
  }

  retry(_lane: string, dueAt: number): void {
    const one = this.#running.shift()
    if (one !== undefined) this.#queue.retryAt(one, dueAt)
  }

  promote(_lane: string, now: number): void {
    this.#queue.promote(now)
  }

  clear(lane: string): void {
    for (const one of this.#queue.clear(lane)) ok(this.#held.delete(one))
  }

  check(): void {
    strictEqual(this.#queue.size, this.#held.size)
    strictEqual(this.#queue.inFlight, this.#running.length)
    ok(this.#held.size <= this.#bounds.maxQueue)
    ok(this.#running.length <= this.#bounds.maxConcurrent)
  }
}

t.test('its bounds hold whatever happens', async () => {
  const step = fc.record({
    move: fc.constantFrom('admit', 'admit', 'admit', 'next', 'finish', 'retry', 'promote', 'clear'),
    lane: fc.constantFrom('a', 'b', 'c', 'd'),
    time: fc.nat(20)
  })
  const bounds = fc.record({ maxQueue: fc.integer({ min: 1, max: 8 }), maxConcurrent: fc.integer({ min: 1, max: 5 }) })
  fc.assert(
    fc.property(bounds, fc.array(step, { maxLength: 100 }), (given, steps) => {
      const watched = new Watched(given)
      for (const { move, lane, time } of steps) {
        watched[move](lane, time)
        watched.check()
      }
    }),
    { numRuns: 300 }
  )
})
