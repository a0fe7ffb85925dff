/** The order of BSON values: across types, across the four kinds of numbers, inside documents and arrays. */
import { Binary, BSONRegExp, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson'
import fc from 'fast-check'
import t from 'tap'
import { compareValues } from '../../src/values/compare-values.ts'
import type { Value } from '../../src/values/value.ts'

/** Each is less than the next. */
const ascending: readonly (Value | undefined)[] = [
  new MinKey(),
  undefined,
  null,
  new Double(Number.NaN),
  Decimal128.fromString('-Infinity'),
  new Int32(-1),
  Decimal128.fromString('-0.5'),
  new Int32(0),
  new Double(1.5),
  Decimal128.fromString('9'),
  Decimal128.fromString('10'),
  new Double(9007199254740992),
  Long.fromString('9007199254740993'),
  Long.MAX_VALUE,
  Decimal128.fromString('1E+400'),
  new Double(Number.POSITIVE_INFINITY),
  '',
  'Z',
  'a',
  '\uFF5E',
  '\u{1F600}',
  new Map(),
  new Map([['a', new Int32(2)]]),
  new Map([['b', new Int32(1)]]),
  new Map([['a', 'text']]),
  [],
  [new Int32(1)],
  [new Int32(1), new Int32(0)],
  [new Int32(2)],
  new Binary(Buffer.from([9])),
  new Binary(Buffer.from([1, 1])),
  new ObjectId('000000000000000000000001'),
  new ObjectId('00000000000000000000000a'),
  false,
  true,
  new Date(-1),
  new Date(0),
  new Timestamp({ t: 1, i: 1 }),
  new Timestamp({ t: 4_294_967_295, i: 0 }),
  new BSONRegExp('a', ''),
  new MaxKey()
]

t.test('every pair of the table, both ways', async (t) => {
  for (const [index, a] of ascending.entries()) {
    for (const [other, b] of ascending.entries()) {
      const expected = Math.sign(index - other)
      t.equal(Math.sign(compareValues(a, b)), expected, `${String(a)} and ${String(b)}`)
    }
  }
})

const equal: readonly [Value, Value][] = [
  [new Int32(1), new Double(1)],
  [new Int32(1), Long.ONE],
  [Long.ONE, Decimal128.fromString('1.00')],
  [new Double(0), new Double(-0)],
  [new Double(0.1), new Double(0.1)],
  [new Double(Number.NaN), Decimal128.fromString('NaN')],
  [new Map([['a', new Int32(1)]]), new Map([['a', new Double(1)]])]
]

for (const [a, b] of equal) t.test(`${String(a)} equals ${String(b)}`, async (t) => t.equal(compareValues(a, b), 0))

t.test('0.1 as a double is not 0.1 as a decimal', async (t) => {
  t.ok(compareValues(new Double(0.1), Decimal128.fromString('0.1')) > 0)
})

t.test('numbers: one order whatever their types', async (t) => {
  const number = fc.integer({ min: -1000, max: 1000 })
  const as = [
    (n: number) => new Int32(n),
    (n: number) => new Double(n),
    Long.fromNumber,
    (n: number) => Decimal128.fromString(String(n))
  ]
  fc.assert(
    fc.property(number, number, fc.nat(3), fc.nat(3), (a, b, i, j) => {
      const [x, y] = [as[i]?.(a), as[j]?.(b)]
      return Math.sign(compareValues(x, y)) === Math.sign(a - b)
    })
  )
  t.pass('held for all samples')
})
