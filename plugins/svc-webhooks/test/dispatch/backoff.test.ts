/** The schedule of the spec, number by number. */
import t from 'tap'
import { backoffMs } from '../../src/dispatch/backoff.ts'

t.test('5 s doubled, at most 300 s', async (t) => {
  const seconds = [5, 10, 20, 40, 80, 160, 300, 300, 300]
  for (const [index, expected] of seconds.entries()) t.equal(backoffMs(index + 1), expected * 1000)
  t.equal(backoffMs(5000), 300_000, 'also where the power is infinite')
})
