/** How rates are written, and what is no rate. */
import t from 'tap'
import { readRate } from '../../src/limit/rate.ts'

const RATES: readonly [given: string, count: number, perS: number][] = [
  ['10/s', 10, 1],
  ['10/sec', 10, 1],
  ['10/second', 10, 1],
  ['100/min', 100, 60],
  ['100/minute', 100, 60],
  ['100/m', 100, 60],
  ['100 / minutes', 100, 60],
  ['1000/h', 1000, 3600],
  ['1000/hour', 1000, 3600],
  ['5/15min', 5, 900],
  ['5/15 minutes', 5, 900],
  ['20/day', 20, 86_400],
  ['20/d', 20, 86_400],
  ['1/31days', 1, 2_678_400]
]

for (const [given, count, perS] of RATES) {
  t.test(given, async (t) => t.strictSame(readRate(given), { count, perS }))
}

const WRONG: readonly [given: unknown, found: RegExp][] = [
  ['100', /is not a rate/],
  ['100/', /is not a rate/],
  ['100/fortnight', /is not a rate/],
  ['100/constructor', /is not a rate/],
  ['1e3/min', /is not a rate/],
  ['-1/min', /is not a rate/],
  ['0/min', /allows 0 requests/],
  ['5/0min', /a period of 0 seconds/],
  ['5/32days', /31 days/],
  ['2000000/s', /more than 1000000 requests a second/],
  [undefined, /is not a rate/],
  [null, /is not a rate/],
  [100, /is not a rate/],
  [{ count: 1.5, perS: 60 }, /allows 1.5 requests/],
  [{ count: 1, perS: Number.NaN }, /a period of NaN/],
  [{ count: 1 }, /a period of undefined/]
]

for (const [given, found] of WRONG) {
  t.test(`${JSON.stringify(given)} is refused`, async (t) => t.match(readRate(given as string), found))
}

t.test('a count and a period are a rate', async (t) => {
  t.strictSame(readRate({ count: 7, perS: 30 }), { count: 7, perS: 30 })
})
