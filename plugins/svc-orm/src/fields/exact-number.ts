/**
 * Numbers that are exact: 64 bits of the smallest unit, such as cents. Rows carry them as text, as JSON does, since no
 * number of JavaScript holds them all; columns carry the units. Pure.
 */
declare const exact: unique symbol

/** An exact number as text, of a `bigint` or `decimal` field: `12.50`. */
export type ExactNumber = string & { readonly [exact]?: true }

/** Any other text is none, whatever it says. */
export type IsExact<Held> = typeof exact extends keyof Held ? true : false

const FORM = /^[-+]?\d+(?:\.\d+)?$/
const LEADING_ZEROS = /^([-+]?)0+(?=\d)/

/** The digits of 64 bits, and a sign. */
const LONGEST = 20

/** So many are safe as a number, which is made in less time than a `bigint` of text. */
const SAFE = 15

/** @param given text such as `-12.50`, a `bigint`, or a number @returns `undefined` for what no such column can hold exactly */
export function unitsOf(given: unknown, scale: number): bigint | undefined {
  const text = typeof given === 'string' ? given : isNumeric(given) ? String(given) : ''
  if (!FORM.test(text)) return undefined
  const point = text.indexOf('.')
  const whole = point < 0 ? text : text.slice(0, point)
  const fraction = point < 0 ? '' : text.slice(point + 1)
  const held = fraction.length > scale ? fraction.replace(/0+$/, '') : fraction
  if (held.length > scale) return undefined
  const plain = whole.length > LONGEST ? whole.replace(LEADING_ZEROS, '$1') : whole
  // Stryker disable next-line all: more digits are refused below as well, after work that grows with their square
  if (plain.length > LONGEST) return undefined
  const digits = plain + held.padEnd(scale, '0')
  if (digits.length <= SAFE) return BigInt(Number(digits))
  const units = BigInt(digits)
  return BigInt.asIntN(64, units) === units ? units : undefined
}

/** With all of its decimals: `12.50` of 1250 units and a scale of 2. */
export function exactText(units: bigint, scale: number): string {
  if (scale === 0) return String(units)
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** A number says what it prints, and nothing that it rounded. */
function isNumeric(given: unknown): boolean {
  return typeof given === 'bigint' || (typeof given === 'number' && Math.abs(given) <= Number.MAX_SAFE_INTEGER)
}
