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
