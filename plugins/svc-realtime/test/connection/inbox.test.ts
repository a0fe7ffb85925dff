/** The bucket of tokens: bursts, refills, excess and floods, with a time that is passed in. */
import t from 'tap'
import { FrameRate, type FrameVerdict } from '../../src/connection/inbox.ts'

t.test('a sequence', async (t) => {
  const rate = new FrameRate(10, 2, 0)
  const rows: ReadonlyArray<readonly [now: number, verdict: FrameVerdict]> = [
    [0, 'pass'],
    [0, 'pass'],
    [0, 'excess'],
    [99, 'excess'],
    [100, 'pass'],
    [100, 'excess'],
    [50, 'excess'],
    [50, 'flood'],
    [1_000_000, 'pass'],
    [1_000_000, 'pass'],
    [1_000_000, 'excess']
  ]
  for (const [now, verdict] of rows) t.equal(rate.take(now), verdict, `at ${now}: ${verdict}`)
})
