/**
 * Sums and products as `$inc` and `$mul` make them: the result has the widest type of the two,
 * an int32 that overflows becomes an int64, and an int64 that overflows is refused.
 */
import { Decimal128, Double, Int32, Long } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { approximate, type Decimal, parseDecimal } from './exact-number.ts'
import type { NumberValue } from './value.ts'

const MIN_INT32 = -(2n ** 31n)
const MAX_INT32 = 2n ** 31n - 1n
const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n

export function add(a: NumberValue, b: NumberValue): NumberValue {
  return calculate(a, b, {
    integers: (x, y) => x + y,
    doubles: (x, y) => x + y,
    decimals: (x, y) => {
      const exponent = Math.min(x.exponent, y.exponent)
      return { digits: scaled(x, exponent) + scaled(y, exponent), exponent }
    }
  })
}

export function multiply(a: NumberValue, b: NumberValue): NumberValue {
  return calculate(a, b, {
    integers: (x, y) => x * y,
    doubles: (x, y) => x * y,
    decimals: (x, y) => ({ digits: x.digits * y.digits, exponent: x.exponent + y.exponent })
  })
}

interface Operation {
  integers: (a: bigint, b: bigint) => bigint
  doubles: (a: number, b: number) => number
  decimals: (a: Decimal, b: Decimal) => Decimal
}

function calculate(a: NumberValue, b: NumberValue, operation: Operation): NumberValue {
  if (a._bsontype === 'Decimal128' || b._bsontype === 'Decimal128') return decimalResult(a, b, operation)
  if (a._bsontype === 'Double' || b._bsontype === 'Double') {
    return new Double(operation.doubles(approximate(a), approximate(b)))
  }
  const result = operation.integers(integerOf(a), integerOf(b))
  const wide = a._bsontype === 'Long' || b._bsontype === 'Long'
  if (!wide && result >= MIN_INT32 && result <= MAX_INT32) return new Int32(Number(result))
  if (result >= MIN_INT64 && result <= MAX_INT64) return Long.fromBigInt(result)
  throw new CommandError(2, 'Failed to apply the operation to the current value: the result does not fit an int64')
}

function integerOf(value: Int32 | Long): bigint {
  return value._bsontype === 'Long' ? value.toBigInt() : BigInt(value.value)
}

function decimalResult(a: NumberValue, b: NumberValue, { doubles, decimals }: Operation): Decimal128 {
  const [x, y] = [approximate(a), approximate(b)]
  const huge = (value: NumberValue, double: number) => !Number.isFinite(double) && /[a-z]{3}/i.test(value.toString())
  if (huge(a, x) || huge(b, y)) return Decimal128.fromString(String(doubles(x, y)))
  const { digits, exponent } = decimals(parseDecimal(a.toString()), parseDecimal(b.toString()))
  return Decimal128.fromStringWithRounding(`${digits}E${exponent}`)
}

function scaled({ digits, exponent }: Decimal, target: number): bigint {
  return digits * 10n ** BigInt(exponent - target)
}
