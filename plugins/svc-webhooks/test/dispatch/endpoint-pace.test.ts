/** Shares of the slots, by table. */
import t from 'tap'
import type { AttemptVerdict } from '../../src/dispatch/classify-attempt.ts'
import { type EndpointPace, paceAfter, shareOf } from '../../src/dispatch/endpoint-pace.ts'

t.test('what an attempt says of its endpoint', async (t) => {
  const table: [verdict: AttemptVerdict, durationMs: number, pace: EndpointPace][] = [
    ['success', 0, 'quick'],
    ['success', 1000, 'quick'],
    ['success', 1001, 'slow'],
    ['failure', 20, 'quick'],
    ['failure', 9000, 'slow'],
    ['retry', 3, 'unproven'],
    ['retry', 10_000, 'unproven'],
    ['abandoned', 3, 'quick']
  ]
  for (const [verdict, ms, pace] of table) t.equal(paceAfter(verdict, ms), pace, `${verdict} after ${ms} ms`)
})

t.test('slots', async (t) => {
  const table: [slots: number, unproven: number, slow: number, quick: number, alone: number][] = [
    [1, 1, 1, 1, 1],
    [2, 1, 1, 1, 2],
    [3, 1, 1, 1, 3],
    [4, 1, 2, 2, 4],
    [8, 2, 4, 4, 8],
    [9, 2, 4, 4, 9],
    [100, 25, 50, 50, 100]
  ]
  for (const [slots, unproven, slow, quick, alone] of table) {
    for (const company of [true, false]) {
      t.equal(shareOf('unproven', slots, company), unproven)
      t.equal(shareOf('slow', slots, company), slow)
    }
    t.equal(shareOf('quick', slots, false), quick)
    t.equal(shareOf('quick', slots, true), alone)
  }
})
