/** The order of values in columns, the same on every engine. Pure. */

/** The order of what columns hold: null lowest, false before true, numbers and dates by value, text by code point. */
export function compareHeld(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  const [left, right] = typeof a === 'bigint' ? [a, b as bigint] : [Number(a), Number(b)]
  return left === right ? 0 : left < right ? -1 : 1
}

/** The order by code point, as databases have it: that of UTF-16 differs where surrogates meet the last BMP characters. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left === right) continue
    const surrogates = Number(isSurrogate(left)) - Number(isSurrogate(right))
    return surrogates !== 0 && left >= 0xd800 && right >= 0xd800 ? surrogates : left - right
  }
  return a.length - b.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

/** Values of columns as one text, the same where each of them is. JSON alone has no integers of 64 bits. */
export function valuesText(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => (typeof value === 'bigint' ? `${value}n` : value)))
}
