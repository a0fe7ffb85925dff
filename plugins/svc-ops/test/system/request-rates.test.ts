/** Rates by minute, on a clock of the test. */
import t from 'tap'
import { RequestRates } from '../../src/system/request-rates.ts'

const MINUTE = 60_000
const START = 1_000_000 * MINUTE

t.test('percentiles are true within 6 %', async (t) => {
  const rates = new RequestRates(START)
  for (let ms = 1; ms <= 1000; ms += 1) rates.add(START, ms, 200)
  const [{ p50, p95, p99, count } = { p50: 0, p95: 0, p99: 0, count: 0 }] = rates.read(START)
  t.equal(count, 1000)
  for (const [got, wanted] of [
    [p50, 500],
    [p95, 950],
    [p99, 990]
  ]) {
    const off = Math.abs((got ?? 0) - (wanted as number)) / (wanted as number)
    t.ok(off <= 0.0625, `${got} stands for ${wanted}`)
  }
})

t.test('the shortest and the longest', async (t) => {
  const rates = new RequestRates(START)
  rates.add(START, 0, 200)
  t.match(rates.read(START), [{ p50: 0.05, p99: 0.05 }])
  rates.add(START, 3_600_000, 200)
  t.ok((rates.read(START)[0]?.p99 ?? 0) > 60_000, 'a class holds whatever took longer')
})

t.test('each minute by itself, empty ones too, an hour at most', async (t) => {
  const rates = new RequestRates(START)
  rates.add(START, 10, 200)
  rates.add(START + 2 * MINUTE, 20, 503)
  t.match(rates.read(START + 2 * MINUTE + 59_999), [
    { at: START, count: 1, failures: 0 },
    { at: START + MINUTE, count: 0, failures: 0, p50: null },
    { at: START + 2 * MINUTE, count: 1, failures: 1 }
  ])
  t.match(rates.total(START + 2 * MINUTE), { count: 2, failures: 1 })
  const later = START + 61 * MINUTE
  t.equal(rates.read(later).length, 60)
  t.equal(rates.total(later).count, 1, 'the first minute is over an hour old')
  rates.add(START + 60 * MINUTE, 1, 200)
  t.equal(rates.total(later).count, 2, 'its place is taken by a new one')
})
