/** The schedule of the spec, number by number. */
import t from 'tap'
import type { AttemptEnd } from '../../src/dispatch/attempt-end.ts'
import { backoffMs, retryDue } from '../../src/dispatch/backoff.ts'

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
