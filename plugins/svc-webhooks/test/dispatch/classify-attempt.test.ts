/** Which end of an attempt leads to what, as the spec's table says, for every status there is. */
import t from 'tap'
import type { AttemptEnd } from '../../src/dispatch/attempt-end.ts'
import { type AttemptVerdict, classifyAttempt, finalOutcome } from '../../src/dispatch/classify-attempt.ts'
import { answered, refused } from '../support/delivery-fixtures.ts'

t.test('statuses', async (t) => {
  const retried = new Set([408, 429])
  for (let status = 100; status < 700; status += 1) {
    const family = Math.floor(status / 100)
    const expected = family === 2 ? 'success' : family === 5 || retried.has(status) ? 'retry' : 'failure'
    if (classifyAttempt(answered(status)) !== expected) t.fail(`${status} is not ${expected}`)
  }
  for (const [status, verdict] of [
    [200, 'success'],
    [204, 'success'],
    [301, 'failure'],
    [307, 'failure'],
    [400, 'failure'],
    [404, 'failure'],
    [408, 'retry'],
    [410, 'failure'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry']
  ] as const) {
    t.equal(classifyAttempt(answered(status)), verdict, String(status))
  }
})

t.test('without an answer', async (t) => {
  const table: [end: AttemptEnd, verdict: AttemptVerdict][] = [
    [refused, 'retry'],
    [{ kind: 'abandoned', error: 'refused', reason: 'address', durationMs: 1 }, 'abandoned'],
    [{ kind: 'unsent', error: 'endpoint store unavailable', passing: true, durationMs: 1 }, 'retry'],
    [{ kind: 'unsent', error: 'secret unreadable', passing: false, durationMs: 1 }, 'failure']
  ]
  for (const [end, verdict] of table) t.equal(classifyAttempt(end), verdict, end.kind)
})

t.test('what a delivery ends with', async (t) => {
  t.strictSame((['success', 'retry', 'failure', 'abandoned'] as const).map(finalOutcome), [
    'delivered',
    'exhausted',
    'failed',
    'abandoned'
  ])
})
