/** The health of endpoints after an attempt, by table. */
import type { LaneHealth } from 'svc-queue'
import t from 'tap'
import { type AttemptVerdict, healthAfter } from '../../src/delivery/attempt.ts'

t.test('what an attempt says of its endpoint', async (t) => {
  const table: [verdict: AttemptVerdict, durationMs: number, health: LaneHealth][] = [
    ['success', 0, 'quick'],
    ['success', 1000, 'quick'],
    ['success', 1001, 'slow'],
    ['failure', 20, 'quick'],
    ['failure', 9000, 'slow'],
    ['retry', 3, 'unproven'],
    ['retry', 1000, 'unproven'],
    ['retry', 1001, 'failing'],
    ['retry', 10_000, 'failing'],
    ['abandoned', 3, 'quick']
  ]
  for (const [verdict, ms, health] of table) t.equal(healthAfter(verdict, ms), health, `${verdict} after ${ms} ms`)
})
