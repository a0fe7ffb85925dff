/** The last 24 hours of an endpoint: by hour, the running one last; what is older is gone, whenever it is asked. */
import t from 'tap'
import { HOURS, isDegradedBy } from '../../src/degraded.ts'
import { RecentOutcomeCounts } from '../../src/delivery/recent-outcomes.ts'

const HOUR = 3_600_000
const NOON = 500_000 * HOUR

/** Hours ago with their numbers; all others have none. */
const hours = (known: Record<number, number>) => Array.from({ length: HOURS }, (_, at) => known[HOURS - 1 - at] ?? 0)

t.test('by hour, with the mean of their times', async (t) => {
  const counts = new RecentOutcomeCounts()
  counts.add('a', NOON - 23 * HOUR, true, 10)
  counts.add('a', NOON - HOUR, false, 30)
  counts.add('a', NOON - 1, true, 20)
  counts.add('a', NOON + 5, true, 40)
  counts.add('b', NOON, false, 1)
  t.strictSame(counts.of('a', NOON + 10), {
    delivered: hours({ 23: 1, 1: 1, 0: 1 }),
    failed: hours({ 1: 1 }),
    meanMs: 25
  })
  t.strictSame(counts.of('b', NOON + 10), { delivered: hours({}), failed: hours({ 0: 1 }), meanMs: 1 })
  t.equal(counts.of('c', NOON), null)
})

t.test('an hour makes room for the one a day later, also where nothing ended in between', async (t) => {
  const counts = new RecentOutcomeCounts()
  counts.add('a', NOON, true, 10)
  counts.add('a', NOON + 2 * HOUR, true, 10)
  t.strictSame(counts.of('a', NOON + 24 * HOUR)?.delivered, hours({ 22: 1 }))
  counts.add('a', NOON + 24 * HOUR, false, 10)
  t.strictSame(counts.of('a', NOON + 24 * HOUR), { delivered: hours({ 22: 1 }), failed: hours({ 0: 1 }), meanMs: 10 })
  counts.add('a', NOON + 100 * HOUR, false, 10)
  t.strictSame(counts.of('a', NOON + 100 * HOUR), { delivered: hours({}), failed: hours({ 0: 1 }), meanMs: 10 })
  t.equal(counts.of('a', NOON + 124 * HOUR), null)
  counts.add('a', NOON, true, 10)
  t.strictSame(
    counts.of('a', NOON + 100 * HOUR)?.delivered,
    hours({}),
    'a clock that was set back by days adds nothing'
  )
})

t.test('bounded, the one without a delivery for longest makes room; a deleted one is gone', async (t) => {
  const counts = new RecentOutcomeCounts()
  for (let number = 0; number < 10_000; number += 1) counts.add(`e${number}`, NOON, true, 1)
  counts.add('e0', NOON, true, 1)
  counts.add('more', NOON, true, 1)
  t.equal(counts.of('e1', NOON), null)
  t.ok(counts.of('e0', NOON))
  counts.forget('e0')
  t.equal(counts.of('e0', NOON), null)
})

const shares: [delivered: number, failed: number, degraded: boolean][] = [
  [0, 0, false],
  [0, 4, false],
  [4, 1, true],
  [0, 5, true],
  [9, 1, true],
  [10, 1, false],
  [19, 2, false],
  [18, 2, true],
  [51, 49, true]
]

t.test('degraded: of at least 5 deliveries of the last day a tenth or more failed', async (t) => {
  for (const [delivered, failed, degraded] of shares) {
    t.equal(isDegradedBy({ delivered, failed }), degraded, `${delivered} delivered, ${failed} failed`)
    const counts = new RecentOutcomeCounts()
    for (let number = 0; number < delivered; number += 1) counts.add('a', NOON - 23 * HOUR, true, 1)
    for (let number = 0; number < failed; number += 1) counts.add('a', NOON, false, 1)
    t.strictSame(counts.endedOf('a', NOON), { delivered, failed })
    t.strictSame(counts.degraded(NOON), degraded ? ['a'] : [])
    t.strictSame(counts.degraded(NOON + 24 * HOUR), [], 'a day later nothing is known')
  }
})
