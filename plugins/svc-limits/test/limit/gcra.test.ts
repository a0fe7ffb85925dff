/** The algorithm: by a table that was worked out by hand, and against a model that counts content in place of times. */
import fc from 'fast-check'
import t from 'tap'
import { remaining, seconds, spend, waitFor } from '../../src/limit/gcra.ts'
import { BudgetModel } from '../support/budget-model.ts'

/** One unit each 10 ticks, 3 at once. */
const PACE = { intervalUs: 10, burst: 3 }

/** Time, cost; then whether it is taken, how far ahead the key is, what remains, and the wait for one more. */
type Row = readonly [now: number, cost: number, taken: boolean, ahead: number, remains: number, wait: number]

const TABLE: readonly Row[] = [
  [100, 1, true, 10, 2, 0],
  [100, 1, true, 20, 1, 0],
  [100, 1, true, 30, 0, 10],
  [100, 1, false, 30, 0, 10],
  [105, 1, false, 25, 0, 5],
  [109, 1, false, 21, 0, 1],
  [110, 1, true, 30, 0, 10],
  [119, 1, false, 21, 0, 1],
  [130, 2, true, 30, 0, 10],
  [130, 3, false, 30, 0, 10],
  [159, 3, false, 1, 2, 0],
  [160, 3, true, 30, 0, 10],
  [1000, 2, true, 20, 1, 0],
  [1000, 2, false, 20, 1, 0],
  [1005, 1, true, 25, 0, 5],
  // The clock is set back: the key is as far ahead as its budget, and no further.
  [50, 1, false, 30, 0, 10],
  [60, 1, true, 30, 0, 10]
]

t.test('worked out by hand', async (t) => {
  let tat = 0
  for (const [now, cost, taken, ahead, remains, wait] of TABLE) {
    const spent = spend(tat, now, PACE, cost)
    const got = [spent.taken, spent.aheadUs, remaining(spent.aheadUs, PACE), waitFor(spent.aheadUs, PACE, 1)]
    t.strictSame(got, [taken, ahead, remains, wait], `at ${now}, cost ${cost}`)
    tat = now + spent.aheadUs
  }
})

t.test('lets through what the model does, whatever comes', async (t) => {
  const calls = fc.array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 6 })), { maxLength: 80 })
  const property = fc.property(
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 6 }),
    calls,
    (intervalUs, burst, steps) => {
      const model = new BudgetModel(burst, intervalUs)
      let [now, tat] = [1000, 0]
      for (const [later, cost] of steps) {
        now += later
        const spent = spend(tat, now, { intervalUs, burst }, cost)
        tat = now + spent.aheadUs
        if (spent.taken !== model.take(now, cost)) return false
      }
      return true
    }
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }))
})

t.test('a wait is as long as it is said to be, to the tick', async (t) => {
  const property = fc.property(
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 2, max: 6 }),
    fc.integer({ min: 1, max: 6 }),
    (intervalUs, burst, given) => {
      const [pace, cost] = [{ intervalUs, burst }, Math.min(given, burst)]
      const wait = waitFor(intervalUs * burst, pace, cost)
      const tat = 1000 + intervalUs * burst
      return !spend(tat, 1000 + wait - 1, pace, cost).taken && spend(tat, 1000 + wait, pace, cost).taken
    }
  )
  t.doesNotThrow(() => fc.assert(property))
})

t.test('seconds are rounded up', async (t) => {
  t.strictSame([0, 1, 1_000_000, 1_000_001].map(seconds), [0, 1, 1, 2])
})
