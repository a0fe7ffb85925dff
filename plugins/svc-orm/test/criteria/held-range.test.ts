/** The ranges of values whose products stay within bounds, worked out by hand. */
import t from 'tap'
import { rangeWithin } from '../../src/criteria/held-range.ts'

const times = (factor: number) => (held: number | bigint) => Number(held) * factor

t.test('what is held and what comes of it rise together, or apart', async (t) => {
  const integer = { storage: 'integer', falls: false } as const
  t.strictSame(rangeWithin({ ...integer, times: times(3), least: 0, greatest: 10 }), { from: 0, to: 3 })
  t.strictSame(rangeWithin({ ...integer, times: times(3), least: null, greatest: 10 }), { from: null, to: 3 })
  t.strictSame(rangeWithin({ ...integer, times: times(-2), falls: true, least: -9, greatest: null }), {
    from: null,
    to: 4
  })
  t.strictSame(rangeWithin({ ...integer, times: times(-2), falls: true, least: -9, greatest: 4 }), { from: -2, to: 4 })
  t.equal(rangeWithin({ ...integer, times: times(10), least: 1, greatest: 9 }), null, 'no product is between')
})

t.test('exact for wide integers and for doubles', async (t) => {
  const triple = (held: number | bigint) => (held as bigint) * 3n
  const wide = { storage: 'bigint', falls: false } as const
  t.strictSame(
    rangeWithin({ ...wide, times: triple, least: 9_007_199_254_740_993n, greatest: 9_007_199_254_741_000n }),
    {
      from: 3_002_399_751_580_331n,
      to: 3_002_399_751_580_333n
    }
  )
  const float = { storage: 'float', falls: false } as const
  t.strictSame(rangeWithin({ ...float, times: times(2), least: -1, greatest: 0.5 }), { from: -0.5, to: 0.25 })
  t.strictSame(rangeWithin({ ...float, times: times(2), least: null, greatest: null }), { from: null, to: null })
})
