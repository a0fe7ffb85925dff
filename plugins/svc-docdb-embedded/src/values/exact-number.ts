/** Numbers of all four types as exact fractions, for the comparisons and sums that doubles would get wrong. */
import type { NumberValue } from './value.ts'

/** Either `numerator / denominator`, or one of the values no fraction has. */
export interface Fraction {
  readonly numerator: bigint
  /** Greater than zero. */
  readonly denominator: bigint
}

/** A finite decimal: `digits` times ten to the `exponent`. */
export interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** The value as a double: exact for int32 and double, rounded for the others, with NaN and the infinities. */
export function approximate(value: NumberValue): number {
  switch (value._bsontype) {
    case 'Int32':
    case 'Double':
      return value.value
    case 'Long':
      return value.toNumber()
    case 'Decimal128':
      return Number(value.toString())
  }
}

/** The exact value of a finite number. */
export function fractionOf(value: NumberValue): Fraction {
  switch (value._bsontype) {
    case 'Int32':
      return { numerator: BigInt(value.value), denominator: 1n }
    case 'Long':
      return { numerator: value.toBigInt(), denominator: 1n }
    case 'Double':
      return fractionOfDouble(value.value)
    case 'Decimal128':
      return fractionOfDecimal(parseDecimal(value.toString()))
  }
}

export function compareFractions(a: Fraction, b: Fraction): number {
  const left = a.numerator * b.denominator
  const right = b.numerator * a.denominator
  return left < right ? -1 : left > right ? 1 : 0
}

/** Reads what `Decimal128.toString` and `Number.toString` write, such as `-1.50E+3`. */
export function parseDecimal(text: string): Decimal {
  const [mantissa = '0', power = '0'] = text.toLowerCase().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}

function fractionOfDouble(value: number): Fraction {
  let scaled = value
  let shift = 0n
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    shift += 1n
  }
  return { numerator: BigInt(scaled), denominator: 1n << shift }
}

function fractionOfDecimal({ digits, exponent }: Decimal): Fraction {
  return exponent >= 0
    ? { numerator: digits * 10n ** BigInt(exponent), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-exponent) }
}
