/** The order of text is that of its code points, which UTF-8 keeps as bytes. */
import fc from 'fast-check'
import t from 'tap'
import { compareValues } from '../../src/memory/compare-values.ts'

t.test('agrees with the bytes of UTF-8', async () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
    maxLength: 4
  })
  fc.assert(
    fc.property(
      text,
      text,
      (a, b) => Math.sign(compareValues(a, b)) === Buffer.compare(Buffer.from(a), Buffer.from(b))
    ),
    { numRuns: 5000 }
  )
})

t.test('null is lowest, false before true, dates by time', async (t) => {
  t.ok(compareValues(null, '') < 0)
  t.ok(compareValues(-Infinity, null) > 0)
  t.equal(compareValues(null, null), 0)
  t.ok(compareValues(false, true) < 0)
  t.ok(compareValues(new Date(1), new Date(2)) < 0)
  t.equal(compareValues(new Date(1), new Date(1)), 0)
})
