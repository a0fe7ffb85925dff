/**
 * Numbers that are exact: 64 bits of the smallest unit, such as cents. Rows carry them as text, as JSON does, since no
 * number of JavaScript holds them all; columns carry the units. Pure.
 */
declare const exact: unique symbol

/** An exact number as text, of a `bigint` or `decimal` field: `12.50`. */
export type ExactNumber = string & { readonly [exact]?: true }

/** Any other text is none, whatever it says. */
export type IsExact<Held> = typeof exact extends keyof Held ? true : false

const FORM = /^([-+]?)0*(\d+)(?:\.(\d+))?$/

/** @param given text such as `-12.50`, a `bigint`, or a number @returns `undefined` for what no such column can hold exactly */
export function unitsOf(given: unknown, scale: number): bigint | undefined {
  const text = typeof given === 'string' ? given : isNumeric(given) ? String(given) : ''
  const [, sign = '', whole = '', fraction = ''] = FORM.exec(text) ?? []
  const held = fraction.length > scale ? fraction.replace(/0+$/, '') : fraction
  if (whole === '' || held.length > scale || whole.length > 19) return undefined
  const units = BigInt(whole + held.padEnd(scale, '0'))
  const signed = sign === '-' ? -units : units
  return BigInt.asIntN(64, signed) === signed ? signed : undefined
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
