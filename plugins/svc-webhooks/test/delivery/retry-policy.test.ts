/** The schedule of the spec, number by number. */
import t from 'tap'
import {
  type AttemptEnd,
  type AttemptVerdict,
  backoffMs,
  classifyAttempt,
  finalOutcome,
  retryDue
} from '../../src/delivery/attempt.ts'
import { answered, refused } from '../support/delivery-fixtures.ts'

/** Which end of an attempt leads to what, as the spec's table says, for every status there is. */
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

t.test('5 s doubled, at most 300 s', async (t) => {
  const seconds = [5, 10, 20, 40, 80, 160, 300, 300, 300]
  for (const [index, expected] of seconds.entries()) t.equal(backoffMs(index + 1), expected * 1000)
  t.equal(backoffMs(5000), 300_000, 'also where the power is infinite')
})

t.test('W6: Retry-After of 429 and 503 is waited for, never less than the schedule, at most 300 s', async (t) => {
  const now = Date.UTC(2026, 0, 1)
  const answered = (status: number, retryAfter?: string): AttemptEnd => {
    return {
      kind: 'answered',
      status,
      responseBody: '',
      durationMs: 1,
      ...(retryAfter === undefined ? {} : { retryAfter })
    }
  }
  const date = (seconds: number) => new Date(now + seconds * 1000).toUTCString()
  const table: [end: AttemptEnd, failures: number, waitS: number][] = [
    [answered(503), 1, 5],
    [answered(503, '30'), 1, 30],
    [answered(429, ' 30 '), 2, 30],
    [answered(429, '1'), 1, 5],
    [answered(429, '0'), 3, 20],
    [answered(503, '86400'), 1, 300],
    [answered(503, '99999999999999999999'), 1, 5],
    [answered(503, date(60)), 1, 60],
    [answered(503, 'Thursday, 01-Jan-26 00:01:00 GMT'), 1, 60],
    [answered(503, date(-60)), 1, 5],
    [answered(503, date(86_400)), 1, 300],
    [answered(503, '-30'), 1, 5],
    [answered(503, '30.5'), 1, 5],
    [answered(503, 'soon'), 1, 5],
    [answered(503, '2026-01-01T00:01:00Z'), 1, 5],
    [answered(500, '30'), 1, 5],
    [answered(408, '30'), 1, 5],
    [{ kind: 'failed', error: 'timeout', durationMs: 1 }, 4, 40]
  ]
  for (const [end, failures, waitS] of table) {
    t.equal(retryDue(failures, end, now) - now, waitS * 1000, `${JSON.stringify(end)} after ${failures}`)
  }
})
