/**
 * Numbers of the four types: compared exactly, and added and multiplied as `$inc` and `$mul` do it. The result has the
 * widest type of the two; an int32 that overflows becomes an int64, and an int64 that overflows is refused.
 */
import { Decimal128, Double, Int32, Long } from 'bson'
import { CommandError } from '../failure/command-error.ts'
import { isNumber, type NumberValue, type Value } from './value.ts'

const MIN_INT32 = -(2n ** 31n)
const MAX_INT32 = 2n ** 31n - 1n
const MIN_INT64 = -(2n ** 63n)
const MAX_INT64 = 2n ** 63n - 1n

/** A finite decimal: `digits` times ten to the `exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** The value as a double: exact for int32 and double, rounded for the others; NaN for what is no number. */
export function toDouble(value: Value | undefined): number {
  if (typeof value !== 'object' || value === null || !('_bsontype' in value)) return Number.NaN
  switch (value._bsontype) {
    case 'Int32':
    case 'Double':
      return value.value
    case 'Long':
      return value.toNumber()
    case 'Decimal128':
      return Number(value.toString())
    default:
      return Number.NaN
  }
}

/** Whether it is the NaN of a double or a decimal. */
export function isNaNValue(value: Value): boolean {
  return isNumber(value) && Number.isNaN(toDouble(value))
}

/** What a flag means: false, null, zero and absence are no. */
export function truthy(value: Value | undefined): boolean {
  if (value === undefined || value === null) return false
  return isNumber(value) ? toDouble(value) !== 0 : value !== false
}

/** By value alone; NaN is less than every other number. */
export function compareNumbers(a: NumberValue, b: NumberValue): number {
  const [x, y] = [toDouble(a), toDouble(b)]
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(y)) - Number(Number.isNaN(x))
  const exact = isDoubleExact(a) && isDoubleExact(b)
  const [p, q] = exact ? [x, y] : [infinityOf(a, x), infinityOf(b, y)]
  if (exact || p !== 0 || q !== 0) return p < q ? -1 : p > q ? 1 : 0
  const [[numerator, denominator], [other, otherDenominator]] = [fractionOf(a), fractionOf(b)]
  const [left, right] = [numerator * otherDenominator, other * denominator]
  return left < right ? -1 : left > right ? 1 : 0
}

function isDoubleExact(value: NumberValue): boolean {
  return value._bsontype === 'Int32' || value._bsontype === 'Double'
}

/** The infinity that the value is, or 0; a large decimal rounds to an infinite double without being infinite. */
function infinityOf(value: NumberValue, double: number): number {
  if (Number.isFinite(double)) return 0
  return value._bsontype !== 'Decimal128' || value.toString().endsWith('Infinity') ? double : 0
}

/** The exact value of a finite number; the denominator is greater than zero. */
function fractionOf(value: NumberValue): readonly [numerator: bigint, denominator: bigint] {
  if (value._bsontype === 'Decimal128') {
    const { digits, exponent } = parseDecimal(value.toString())
    return exponent >= 0 ? [digits * 10n ** BigInt(exponent), 1n] : [digits, 10n ** BigInt(-exponent)]
  }
  if (value._bsontype !== 'Double') return [integerOf(value), 1n]
  let scaled = value.value
  let shift = 0n
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    shift += 1n
  }
  return [BigInt(scaled), 1n << shift]
}

export function integerOf(value: Int32 | Long): bigint {
  return value._bsontype === 'Long' ? value.toBigInt() : BigInt(value.value)
}

/** Reads what `Decimal128.toString` and `Number.toString` write, such as `-1.50E+3`. */
function parseDecimal(text: string): Decimal {
  const [mantissa = '0', power = '0'] = text.toLowerCase().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}

interface Operation {
  readonly integers: (a: bigint, b: bigint) => bigint
  readonly doubles: (a: number, b: number) => number
  readonly decimals: (a: Decimal, b: Decimal) => Decimal
}

const ADDITION: Operation = {
  integers: (a, b) => a + b,
  doubles: (a, b) => a + b,
  decimals: (a, b) => {
    const exponent = Math.min(a.exponent, b.exponent)
    const scaled = (one: Decimal) => one.digits * 10n ** BigInt(one.exponent - exponent)
    return { digits: scaled(a) + scaled(b), exponent }
  }
}

const MULTIPLICATION: Operation = {
  integers: (a, b) => a * b,
  doubles: (a, b) => a * b,
  decimals: (a, b) => ({ digits: a.digits * b.digits, exponent: a.exponent + b.exponent })
}

/** @throws CommandError 2 when the result does not fit an int64 */
export function add(a: NumberValue, b: NumberValue): NumberValue {
  return calculate(a, b, ADDITION)
}

/** @throws CommandError 2 when the result does not fit an int64 */
export function multiply(a: NumberValue, b: NumberValue): NumberValue {
  return calculate(a, b, MULTIPLICATION)
}

function calculate(a: NumberValue, b: NumberValue, { integers, doubles, decimals }: Operation): NumberValue {
  if (a._bsontype === 'Decimal128' || b._bsontype === 'Decimal128') {
    if (hasNoDigits(a) || hasNoDigits(b)) return Decimal128.fromString(String(doubles(toDouble(a), toDouble(b))))
    const { digits, exponent } = decimals(parseDecimal(a.toString()), parseDecimal(b.toString()))
    return Decimal128.fromStringWithRounding(`${digits}E${exponent}`)
  }
  if (a._bsontype === 'Double' || b._bsontype === 'Double') return new Double(doubles(toDouble(a), toDouble(b)))
  const result = integers(integerOf(a), integerOf(b))
  const wide = a._bsontype === 'Long' || b._bsontype === 'Long'
  if (!wide && result >= MIN_INT32 && result <= MAX_INT32) return new Int32(Number(result))
  if (result >= MIN_INT64 && result <= MAX_INT64) return Long.fromBigInt(result)
  throw new CommandError(2, 'Failed to apply the operation to the current value: the result does not fit an int64')
}

/** Whether it is NaN or an infinity. */
function hasNoDigits(value: NumberValue): boolean {
  return !Number.isFinite(toDouble(value)) && /[a-z]{3}/i.test(value.toString())
}

/** Towards zero. */
export function truncate(value: NumberValue): NumberValue {
  if (value._bsontype === 'Double') return new Double(Math.trunc(value.value))
  if (value._bsontype !== 'Decimal128' || hasNoDigits(value)) return value
  return Decimal128.fromString(String(wholeOf(value)))
}

/** @throws CommandError 241 when the value does not fit an int64 */
export function toInt64(value: NumberValue): Long {
  const whole = hasNoDigits(value) ? null : wholeOf(value)
  if (whole !== null && whole >= MIN_INT64 && whole <= MAX_INT64) return Long.fromBigInt(whole)
  throw new CommandError(241, 'Failed to convert a number to long: it is out of range')
}

/** Of a finite number; division of integers rounds towards zero. */
function wholeOf(value: NumberValue): bigint {
  const [numerator, denominator] = fractionOf(value)
  return numerator / denominator
}
