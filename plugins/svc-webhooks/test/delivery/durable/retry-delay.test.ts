/** When a durable delivery is tried again: a table of schedules, spreads and what receivers ask for. */
import t from 'tap'
import type { AttemptEnd } from '../../../src/delivery/attempt.ts'
import { retryDelayMs } from '../../../src/delivery/retry-schedule.ts'
import { answered, refused } from '../../support/delivery-fixtures.ts'

const NOW = Date.UTC(2026, 0, 1)
const SCHEDULE = [5, 60, 600]

const asking = (status: number, retryAfter: string): AttemptEnd => ({ ...answered(status), retryAfter }) as AttemptEnd

const cases: readonly [failures: number, end: AttemptEnd, random: number, expected: number | null][] = [
  [1, refused, 0, 5_000],
  [2, refused, 0, 60_000],
  [3, refused, 0, 600_000],
  [4, refused, 0, null],
  [1, refused, 0.999, 5_500],
  [2, refused, 0.5, 63_000],
  [1, asking(503, '30'), 0, 30_000],
  [1, asking(429, 'Thu, 01 Jan 2026 00:01:00 GMT'), 0, 60_000],
  [2, asking(503, '30'), 0, 60_000],
  [1, asking(503, '86400'), 0, 600_000],
  [1, asking(500, '30'), 0, 5_000],
  [4, asking(503, '30'), 0, null]
]

for (const [failures, end, random, expected] of cases) {
  t.test(`${failures} failures, ${JSON.stringify(end)}, ${random}: ${expected}`, async (t) => {
    t.equal(
      retryDelayMs(SCHEDULE, failures, end, NOW, () => random),
      expected
    )
  })
}

t.test('what failed together is spread over few moments', async (t) => {
  const delays = Array.from({ length: 1000 }, (_, index) => retryDelayMs(SCHEDULE, 3, refused, NOW, () => index / 1000))
  t.equal(new Set(delays).size, 9)
  t.ok(delays.every((delay) => delay !== null && delay >= 600_000 && delay <= 660_000))
})
