/** The order of values in every store: false before true, numbers by value, text by code point. Pure. */

export type SortableValue = string | number | boolean

export function compareValues(a: SortableValue, b: SortableValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  return Number(a) - Number(b)
}

/** UTF-16 order differs from code point order where surrogates meet the last BMP characters; databases use the latter. */
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
