/**
 * Products of integers and decimal factors: exact, then rounded half away from zero, the same on every engine. Units of
 * an exact number are integers too. Pure.
 */

/** A factor as digits and decimals: `1.10` is 11 and 1. */
export interface Factor {
  readonly digits: bigint
  readonly scale: number
}

/** So many digits, and so many decimals: a decimal of 34 digits holds the product with an integer of 64 bits. */
export const MOST_FACTOR_DIGITS = 15

const FORM = /^([-+]?)0*(\d*?)(?:\.(\d*?)0*)?$/

/** @param text such as `1.1` or `-0.25` @returns `null` for what is no decimal, or has too many digits */
export function factorOf(text: string): Factor | null {
  const parts = /\d/.test(text) ? FORM.exec(text) : null
  if (parts === null) return null
  const [, sign, whole = '', fraction = ''] = parts
  const digits = `${whole}${fraction}`
  if (fraction.length > MOST_FACTOR_DIGITS || digits.replace(/^0+/, '').length > MOST_FACTOR_DIGITS) return null
  const value = BigInt(digits === '' ? 0 : digits)
  return { digits: sign === '-' ? -value : value, scale: fraction.length }
}

/** The one spelling of a factor. */
export function factorText({ digits, scale }: Factor): string {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const split = text.length - scale
  const decimals = scale === 0 ? '' : `.${text.slice(split)}`
  return `${digits < 0n ? '-' : ''}${text.slice(0, split)}${decimals}`
}

/** @returns the product, of any size */
export function exactProduct(held: bigint, { digits, scale }: Factor): bigint {
  const product = held * digits
  if (scale === 0) return product
  const unit = 10n ** BigInt(scale)
  const half = unit / 2n
  // Division of integers rounds towards zero.
  return (product + (product < 0n ? -half : half)) / unit
}
