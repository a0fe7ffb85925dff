/** Delays after failures. */
import t from 'tap'
import { delayAfter } from '../../src/throttling/backoff.ts'

const backoff = { freeAttempts: 3, baseDelayS: 1, capDelayS: 900 }

const rows: Array<[failures: number, seconds: number]> = [
  [0, 0],
  [1, 0],
  [3, 0],
  [4, 1],
  [5, 2],
  [6, 4],
  [13, 512],
  [14, 900],
  [15, 900],
  [1e6, 900],
  [-1, 0]
]
for (const [failures, seconds] of rows) {
  t.test(`${failures} failures: ${seconds} s`, async (t) => t.equal(delayAfter(failures, backoff), seconds))
}
t.equal(delayAfter(1, { ...backoff, freeAttempts: 0 }), 1)
t.equal(delayAfter(9, { ...backoff, baseDelayS: 60, capDelayS: 30 }), 30)
