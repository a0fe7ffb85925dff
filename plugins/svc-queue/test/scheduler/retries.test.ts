/** The queue of retries against a sorted list, and its one timer, set again only when the earliest retry is another. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import type { Job } from '../../src/job.ts'
import { RetryQueue, RetryTimer } from '../../src/scheduler/retries.ts'
import { aJob } from '../support/jobs.ts'

t.test('the earliest comes first, those of one time in their order', async (t) => {
  const queue = new RetryQueue()
  t.equal(queue.nextDue, null)
  t.strictSame(queue.takeDue(1000), [])
  const jobs = ['c', 'a', 'b', 'd'].map((id) => aJob(id))
  for (const [index, dueAt] of [30, 10, 10, 40].entries()) queue.push(jobs[index]!, dueAt)
  t.equal(queue.nextDue, 10)
  t.strictSame(queue.takeDue(9), [])
  const taken = [10, 10, 30, 30].map((now) => queue.takeDue(now).map(({ lane }) => lane))
  t.strictSame(taken, [['a', 'b'], [], ['c'], []])
  t.equal(queue.size, 1)
  t.equal(queue.nextDue, 40)
})

t.test('those of a lane, the earliest first', async (t) => {
  const queue = new RetryQueue()
  const jobs = ['a', 'b', 'a'].map((id) => aJob(id))
  for (const [index, dueAt] of [30, 10, 20].entries()) queue.push(jobs[index]!, dueAt)
  t.strictSame(queue.of('a'), [
    { job: jobs[2], dueAt: 20 },
    { job: jobs[0], dueAt: 30 }
  ])
  t.strictSame(queue.of('c'), [])
})

t.test('a retry that seems to wait for more than five minutes is due: the clock was set back', async (t) => {
  const queue = new RetryQueue()
  queue.push(aJob('a'), 300_000)
  t.strictSame(queue.takeDue(0), [])
  t.equal(queue.takeDue(-1).length, 1)
})

/** The queue beside a list that stays sorted, as sorting is stable. */
class Pair {
  readonly #queue = new RetryQueue()
  #plain: { readonly job: Job; readonly dueAt: number }[] = []

  push(lane: string, dueAt: number): void {
    const job = aJob(lane)
    this.#queue.push(job, dueAt)
    this.#plain.push({ job, dueAt })
    this.#plain.sort((a, b) => a.dueAt - b.dueAt)
  }

  due(_lane: string, now: number): void {
    const expected = this.#plain.filter(({ dueAt }) => dueAt <= now)
    deepStrictEqual(
      this.#queue.takeDue(now),
      expected.map(({ job }) => job)
    )
    this.#plain = this.#plain.slice(expected.length)
  }

  latest(lane: string): void {
    const expected = this.#plain.findLast(({ job }) => job.lane === lane)
    strictEqual(
      this.#queue.takeLatest((job) => job.lane === lane),
      expected?.job
    )
    this.#plain = this.#plain.filter((other) => other !== expected)
  }

  all(lane: string): void {
    const gone = this.#plain.filter(({ job }) => job.lane === lane)
    const taken = new Set(this.#queue.takeAll(lane))
    deepStrictEqual(taken, new Set(gone.map(({ job }) => job)))
    this.#plain = this.#plain.filter((other) => !gone.includes(other))
  }

  compare(): void {
    strictEqual(this.#queue.size, this.#plain.length)
    strictEqual(this.#queue.nextDue, this.#plain[0]?.dueAt ?? null)
  }

  empty(): void {
    strictEqual(this.#queue.takeAll().length, this.#plain.length)
    strictEqual(this.#queue.size, 0)
  }
}

t.test('it behaves like a sorted list, whatever is taken out', async () => {
  const step = fc.record({
    move: fc.constantFrom('push', 'push', 'push', 'due', 'latest', 'all'),
    lane: fc.constantFrom('a', 'b', 'c'),
    time: fc.nat(50)
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const pair = new Pair()
      for (const { move, lane, time } of steps) {
        pair[move](lane, time)
        pair.compare()
      }
      pair.empty()
    })
  )
})

function setUp() {
  const clock = new ManualClock(1000)
  let fired = 0
  const timer = new RetryTimer(clock, () => {
    fired += 1
  })
  return { clock, timer, fired: () => fired }
}

t.test('it fires when the earliest is due, once', async (t) => {
  const { clock, timer, fired } = setUp()
  timer.set(5000)
  timer.set(5000)
  timer.set(3000)
  t.equal(clock.pending, 1)
  clock.advance(1999)
  t.equal(fired(), 0)
  clock.advance(1)
  t.equal(fired(), 1)
  clock.advance(10_000)
  t.equal(fired(), 1)
  timer.set(3000)
  clock.advance(0)
  t.equal(fired(), 2, 'what is overdue fires at once')
})

t.test('nothing to wait for, and the end, leave no timer', async (t) => {
  const { clock, timer, fired } = setUp()
  timer.set(null)
  timer.set(5000)
  timer.set(null)
  t.equal(clock.pending, 0)
  timer.set(5000)
  timer.cancel()
  timer.cancel()
  t.equal(clock.pending, 0)
  timer.set(5000)
  clock.advance(5000)
  t.equal(fired(), 1, 'it can be set again')
})
