/** The suite of the `limits` brick. */
import assert from 'node:assert/strict'
import {
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  runCases
} from 'svc-stores/conformance'
import type { LimitsStore } from './limits-store.ts'

/** One unit a second, ten at once. */
const PACE = { intervalUs: 1_000_000, burst: 10 }
const SECOND = 1_000_000

const operations: Operations<LimitsStore> = {
  take: (store) => store.take('health', 'k', PACE, 1),
  giveBack: (store) => store.giveBack('health', 'k', PACE, 1),
  spending: (store) => store.spending('health', 1),
  purge: (store) => store.purge()
}

/** Stores on their own clock, such as a server's, are within this much of the expected time. */
const NEAR_US = 900_000

function near(got: number, expected: number): void {
  assert.ok(Math.abs(got - expected) < NEAR_US, `${got} is near ${expected}`)
}

const cases: readonly ConformanceCase<LimitsStore>[] = [
  [
    'a new key has its whole burst, and no more',
    async ({ store }) => {
      for (let call = 1; call <= 10; call += 1) {
        const spent = await store.take('a', 'k', PACE, 1, call % 2 === 0)
        assert.equal(spent.taken, true)
        near(spent.aheadUs, call * SECOND)
      }
      const refused = await store.take('a', 'k', PACE, 1)
      assert.equal(refused.taken, false)
      near(refused.aheadUs, 10 * SECOND)
    }
  ],
  [
    'a cost is spent as a whole, or not at all',
    async ({ store }) => {
      assert.equal((await store.take('a', 'k', PACE, 7)).taken, true)
      assert.equal((await store.take('a', 'k', PACE, 4)).taken, false)
      const spent = await store.take('a', 'k', PACE, 3, true)
      assert.equal(spent.taken, true)
      near(spent.aheadUs, 10 * SECOND)
    }
  ],
  [
    'of fifty calls at once, as many are taken as the budget holds',
    async ({ store }) => {
      const spent = await atOnce(50, async (index) => store.take('a', 'k', PACE, 1, index % 2 === 0))
      assert.equal(spent.filter(({ taken }) => taken).length, 10)
    }
  ],
  [
    'limits and callers have budgets of their own',
    async ({ store }) => {
      for (const [name, caller] of [
        ['a', 'k'],
        ['a', 'k2'],
        ['a k', 'k'],
        ['a', 'x\'; drop table "rate" --'],
        ['a', '$where {*} [?]']
      ] as const) {
        assert.equal((await store.take(name, caller, PACE, 10)).taken, true)
        assert.equal((await store.take(name, caller, PACE, 1)).taken, false)
      }
    }
  ],
  [
    'what is given back can be spent again, and never more than that',
    async ({ store }) => {
      await store.take('a', 'k', PACE, 10)
      await store.giveBack('a', 'k', PACE, 2)
      assert.equal((await store.take('a', 'k', PACE, 3)).taken, false)
      assert.equal((await store.take('a', 'k', PACE, 2)).taken, true)
      await store.giveBack('a', 'nobody', PACE, 5)
      assert.equal((await store.take('a', 'nobody', PACE, 10)).taken, true)
      assert.equal((await store.take('a', 'nobody', PACE, 1)).taken, false)
    }
  ],
  [
    'shows who has spent most of a limit, bounded',
    async ({ store }) => {
      await store.take('a', 'little', PACE, 3)
      await store.take('a', 'most', PACE, 9)
      await store.take('a', 'much', PACE, 6)
      await store.take('b', 'other', PACE, 10)
      const found = await store.spending('a', 2)
      assert.deepEqual(
        found.map(({ caller }) => caller),
        ['most', 'much']
      )
      near(found[0]?.aheadUs ?? 0, 9 * SECOND)
      assert.deepEqual(await store.spending('none', 5), [])
    }
  ]
]

/** On the clock of the suite; a server that has its own clock cannot be moved. */
const timedCases: readonly ConformanceCase<LimitsStore>[] = [
  [
    'a budget fills with time, by one unit for each interval',
    async ({ store, clock }) => {
      await store.take('a', 'k', PACE, 10)
      clock.advance(999)
      assert.deepEqual(await store.take('a', 'k', PACE, 1, true), { taken: false, aheadUs: 9_001_000 })
      clock.advance(1)
      assert.deepEqual(await store.take('a', 'k', PACE, 1), { taken: true, aheadUs: 10 * SECOND })
      clock.advance(60_000)
      assert.deepEqual(await store.take('a', 'k', PACE, 10, true), { taken: true, aheadUs: 10 * SECOND })
    }
  ],
  [
    'a clock that was set back makes nobody wait for longer than the limit says',
    async ({ store, clock }) => {
      clock.advance(86_400_000)
      await store.take('a', 'k', PACE, 10)
      clock.advance(-86_400_000)
      const refused = await store.take('a', 'k', PACE, 1)
      assert.deepEqual(refused, { taken: false, aheadUs: 10 * SECOND })
      clock.advance(1_000)
      assert.equal((await store.take('a', 'k', PACE, 1)).taken, true)
    }
  ],
  [
    'purges keys that have nothing to pay back alone, an hour later at the latest',
    async ({ store, clock }) => {
      const daily = { intervalUs: 86_400_000_000, burst: 1 }
      await store.take('a', 'k1', PACE, 10)
      await store.take('b', 'k2', daily, 1)
      clock.advance(2 * 3_600_000)
      assert.equal(await store.purge(), 1)
      assert.equal((await store.take('b', 'k2', daily, 1)).taken, false)
      assert.equal(await store.purge(), 0)
      clock.advance(24 * 3_600_000)
      assert.equal(await store.purge(), 1)
    }
  ]
]

/**
 * Proves a store of rate limits.
 *
 * @param runner tap's `t`, or any runner with `test(name, body)`
 * @param ownClock `true` for a store on a server's clock, which the suite cannot move
 */
export function limitsStoreConformance(
  runner: ConformanceRunner,
  subject: ConformanceSubject<LimitsStore>,
  ownClock = false
): Promise<void> {
  return runCases(runner, ownClock ? cases : [...cases, ...timedCases], subject, operations)
}
