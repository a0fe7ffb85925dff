/** Sums and products of the four number types: the type of the result, and its value. */
import { Decimal128, Double, Int32, Long } from 'bson'
import t from 'tap'
import { add, multiply } from '../../src/values/numbers.ts'
import type { NumberValue } from '../../src/values/value.ts'

const [int, double, long, decimal] = [
  (n: number) => new Int32(n),
  (n: number) => new Double(n),
  (n: string) => Long.fromString(n),
  (n: string) => Decimal128.fromString(n)
]

const rows: readonly [NumberValue, NumberValue, sum: NumberValue, product: NumberValue][] = [
  [int(2), int(3), int(5), int(6)],
  [int(2147483647), int(1), long('2147483648'), int(2147483647)],
  [int(-2147483648), int(-1), long('-2147483649'), long('2147483648')],
  [int(1), long('1'), long('2'), long('1')],
  [long('9007199254740993'), int(1), long('9007199254740994'), long('9007199254740993')],
  [int(1), double(0.5), double(1.5), double(0.5)],
  [long('2'), double(0.5), double(2.5), double(1)],
  [decimal('0.10'), decimal('0.2'), decimal('0.30'), decimal('0.020')],
  [decimal('1E+3'), int(1), decimal('1001'), decimal('1E+3')],
  [decimal('0.1'), double(0.2), decimal('0.3'), decimal('0.02')],
  [decimal('Infinity'), int(1), decimal('Infinity'), decimal('Infinity')],
  [
    decimal('9999999999999999999999999999999999'),
    int(1),
    decimal('1.000000000000000000000000000000000E+34'),
    decimal('9999999999999999999999999999999999')
  ]
]

for (const [a, b, sum, product] of rows) {
  t.test(`${a._bsontype} ${a} and ${b._bsontype} ${b}`, async (t) => {
    const shown = (value: NumberValue) => `${value._bsontype} ${value}`
    t.equal(shown(add(a, b)), shown(sum))
    t.equal(shown(add(b, a)), shown(sum))
    t.equal(shown(multiply(a, b)), shown(product))
  })
}

t.test('an int64 that overflows', async (t) => {
  t.throws(() => add(Long.MAX_VALUE, int(1)), { code: 2 })
  t.throws(() => multiply(Long.MAX_VALUE, int(2)), { code: 2 })
})
