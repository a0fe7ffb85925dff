/** The order of values: null lowest, false before true, numbers and dates by value, text by code point. Pure. */
import type { ConditionValue } from '../criteria/condition.ts'

export function compareValues(a: ConditionValue | null, b: ConditionValue | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  const left = Number(a)
  const right = Number(b)
  return left === right ? 0 : left < right ? -1 : 1
}

/** UTF-16 puts astral characters before the last of the basic plane; databases, by code point, do not. */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return fixSurrogate(left) - fixSurrogate(right)
  }
  return a.length - b.length
}

/** Lifts surrogates above the units from 0xe000 on, as the code points they are part of stand there. */
function fixSurrogate(unit: number): number {
  if (unit < 0xd800) return unit
  return unit > 0xdfff ? unit - 0x800 : unit + 0x2000
}
