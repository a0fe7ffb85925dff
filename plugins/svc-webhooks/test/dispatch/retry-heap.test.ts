/** The heap of retries against a sorted list. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { DeliveryJob } from '../../src/dispatch/delivery-job.ts'
import { RetryHeap } from '../../src/dispatch/retry-heap.ts'
import { anEvent } from '../support/delivery-fixtures.ts'

const event = anEvent()

t.test('the earliest comes first, those of one time in their order', async (t) => {
  const heap = new RetryHeap()
  t.equal(heap.nextDue, null)
  t.equal(heap.takeDue(1000), undefined)
  const jobs = ['c', 'a', 'b', 'd'].map((id) => new DeliveryJob(id, event))
  for (const [index, dueAt] of [30, 10, 10, 40].entries()) heap.push(jobs[index]!, dueAt)
  t.equal(heap.nextDue, 10)
  t.equal(heap.takeDue(9), undefined)
  const taken = [10, 10, 30, 30].map((now) => heap.takeDue(now)?.endpointId)
  t.strictSame(taken, ['a', 'b', 'c', undefined])
  t.equal(heap.size, 1)
  t.equal(heap.nextDue, 40)
})

/** The heap beside a list that stays sorted, as sorting is stable. */
class Pair {
  readonly #heap = new RetryHeap()
  #plain: { readonly job: DeliveryJob; readonly dueAt: number }[] = []

  push(endpointId: string, dueAt: number): void {
    const job = new DeliveryJob(endpointId, event)
    this.#heap.push(job, dueAt)
    this.#plain.push({ job, dueAt })
    this.#plain.sort((a, b) => a.dueAt - b.dueAt)
  }

  due(_endpointId: string, now: number): void {
    const first = this.#plain[0]
    const expected = first !== undefined && first.dueAt <= now ? this.#plain.shift() : undefined
    strictEqual(this.#heap.takeDue(now), expected?.job)
  }

  latest(endpointId: string): void {
    const expected = this.#plain.findLast(({ job }) => job.endpointId === endpointId)
    strictEqual(this.#heap.takeLatest(endpointId), expected?.job)
    this.#plain = this.#plain.filter((other) => other !== expected)
  }

  all(endpointId: string): void {
    const gone = this.#plain.filter(({ job }) => job.endpointId === endpointId)
    const taken = new Set(this.#heap.takeAll(endpointId))
    deepStrictEqual(taken, new Set(gone.map(({ job }) => job)))
    this.#plain = this.#plain.filter((other) => !gone.includes(other))
  }

  compare(): void {
    strictEqual(this.#heap.size, this.#plain.length)
    strictEqual(this.#heap.nextDue, this.#plain[0]?.dueAt ?? null)
  }

  empty(): void {
    strictEqual(this.#heap.takeAll().length, this.#plain.length)
    strictEqual(this.#heap.size, 0)
  }
}

t.test('it behaves like a sorted list, whoever is taken out', async () => {
  const step = fc.record({
    move: fc.constantFrom('push', 'push', 'push', 'due', 'latest', 'all'),
    endpoint: fc.constantFrom('a', 'b', 'c'),
    time: fc.nat(50)
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const pair = new Pair()
      for (const { move, endpoint, time } of steps) {
        pair[move](endpoint, time)
        pair.compare()
      }
      pair.empty()
    })
  )
})
