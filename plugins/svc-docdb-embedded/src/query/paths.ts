/**
 * The values at a dotted path. An array on the way is entered: by position for a number, and through each of its
 * documents for any name. A document without the field gives `undefined`; an element that is no document gives nothing.
 */
import { isDocument, type Value } from '../values/value.ts'

const POSITION = /^(?:0|[1-9]\d*)$/

export function isPosition(part: string): boolean {
  return POSITION.test(part)
}

export function valuesAt(value: Value | undefined, parts: readonly string[], from = 0): (Value | undefined)[] {
  const part = parts[from]
  if (part === undefined) return [value]
  if (isDocument(value)) return valuesAt(value.get(part), parts, from + 1)
  if (!Array.isArray(value)) return [undefined]
  const positioned =
    isPosition(part) && Number(part) < value.length ? valuesAt(value[Number(part)], parts, from + 1) : []
  return [...positioned, ...value.filter(isDocument).flatMap((item) => valuesAt(item, parts, from))]
}
