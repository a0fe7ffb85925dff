/**
 * The order of all BSON values: by type first, then by value; numbers of the four types by value alone.
 * Values that compare as 0 are equal to every query, sort and unique index.
 */
import type { Binary, ObjectId, Timestamp } from 'bson'
import { compareNumbers } from './numbers.ts'
import { type Document, typeOf, type Value } from './value.ts'

/** The rank of the type; 0 for absence. */
export function rankOf(value: Value | undefined): number {
  return value === undefined ? 0 : typeOf(value).rank
}

/** `undefined` is the key of an empty array, which sorts before null. */
export function compareValues(a: Value | undefined, b: Value | undefined): number {
  if (a === b) return 0
  const rank = rankOf(a)
  const difference = rank - rankOf(b)
  if (difference !== 0) return difference
  return COMPARE[rank]?.(a as never, b as never) ?? 0
}

export function equalValues(a: Value | undefined, b: Value | undefined): boolean {
  return compareValues(a, b) === 0
}

/** Of two values of one rank. */
const COMPARE: Readonly<Record<number, (a: never, b: never) => number>> = {
  10: compareNumbers,
  15: (a: Value, b: Value) => compareStrings(String(a), String(b)),
  20: compareDocuments,
  25: compareArrays,
  30: compareBinaries,
  35: (a: ObjectId, b: ObjectId) => Buffer.compare(a.id, b.id),
  40: (a: boolean, b: boolean) => Number(a) - Number(b),
  45: (a: Date, b: Date) => a.getTime() - b.getTime(),
  47: (a: Timestamp, b: Timestamp) => a.compare(b),
  50: (a: { pattern: string; options: string }, b: { pattern: string; options: string }) =>
    compareStrings(a.pattern, b.pattern) || compareStrings(a.options, b.options),
  60: (a: { code: string }, b: { code: string }) => compareStrings(a.code, b.code)
}

/** In the order of UTF-8 bytes, which is that of code points; JavaScript compares UTF-16 units. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (x !== y) return codePointRank(x) - codePointRank(y)
  }
  return a.length - b.length
}

/** Surrogates are code points above all others, but lie below U+E000 as units. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function compareDocuments(a: Document, b: Document): number {
  const others = b.entries()
  for (const [name, value] of a) {
    const [otherName, other] = others.next().value ?? []
    if (otherName === undefined) return 1
    const difference = rankOf(value) - rankOf(other) || compareStrings(name, otherName) || compareValues(value, other)
    if (difference !== 0) return difference
  }
  return a.size - b.size
}

function compareArrays(a: readonly Value[], b: readonly Value[]): number {
  for (const [index, value] of a.entries()) {
    if (index >= b.length) return 1
    const difference = compareValues(value, b[index])
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function compareBinaries(a: Binary, b: Binary): number {
  const [x, y] = [a.value(), b.value()]
  return x.length - y.length || a.sub_type - b.sub_type || Buffer.compare(x, y)
}
