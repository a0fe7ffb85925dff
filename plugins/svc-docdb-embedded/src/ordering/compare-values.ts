/**
 * The order of all BSON values: by type first, then by value; numbers of the four types by value alone.
 * Values that compare as 0 are equal to every query, sort and unique index.
 */
import type { Binary, Timestamp } from 'bson'
import { approximate, compareFractions, fractionOf } from '../values/exact-number.ts'
import { type Document, type NumberValue, type TypeName, typeName, type Value } from '../values/value.ts'
import { compareStrings } from './compare-strings.ts'

const RANKS: Readonly<Record<TypeName, number>> = {
  minKey: -1,
  null: 5,
  int: 10,
  long: 10,
  double: 10,
  decimal: 10,
  string: 15,
  symbol: 15,
  object: 20,
  array: 25,
  binData: 30,
  objectId: 35,
  bool: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  javascript: 60,
  maxKey: 127
}

/** Where the type of a value stands; values of one rank are comparable to each other. */
export function rankOf(value: Value | undefined): number {
  return value === undefined ? 0 : RANKS[typeName(value)]
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

const COMPARE: Readonly<Record<number, (a: never, b: never) => number>> = {
  10: compareNumbers,
  15: (a: Value, b: Value) => compareStrings(String(a), String(b)),
  20: compareDocuments,
  25: compareArrays,
  30: compareBinaries,
  35: compareBuffersOf,
  40: (a: boolean, b: boolean) => Number(a) - Number(b),
  45: (a: Date, b: Date) => a.getTime() - b.getTime(),
  47: (a: Timestamp, b: Timestamp) => a.compare(b),
  50: (a: { pattern: string; options: string }, b: { pattern: string; options: string }) =>
    compareStrings(a.pattern, b.pattern) || compareStrings(a.options, b.options),
  60: (a: { code: string }, b: { code: string }) => compareStrings(a.code, b.code)
}

export function compareNumbers(a: NumberValue, b: NumberValue): number {
  const [x, y] = [approximate(a), approximate(b)]
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(y)) - Number(Number.isNaN(x))
  if (isDoubleExact(a) && isDoubleExact(b)) return x < y ? -1 : x > y ? 1 : 0
  if (isInfinite(a, x) || isInfinite(b, y)) return compareInfinite(isInfinite(a, x) ? x : 0, isInfinite(b, y) ? y : 0)
  return compareFractions(fractionOf(a), fractionOf(b))
}

function isDoubleExact(value: NumberValue): boolean {
  return value._bsontype === 'Int32' || value._bsontype === 'Double'
}

/** A large decimal rounds to an infinite double without being infinite. */
function isInfinite(value: NumberValue, double: number): boolean {
  return !Number.isFinite(double) && (value._bsontype !== 'Decimal128' || value.toString().endsWith('Infinity'))
}

function compareInfinite(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function compareDocuments(a: Document, b: Document): number {
  const [left, right] = [[...a], [...b]]
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const difference =
      rankOf(value) - rankOf(other[1]) || compareStrings(name, other[0]) || compareValues(value, other[1])
    if (difference !== 0) return difference
  }
  return left.length - right.length
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

function compareBuffersOf(a: { id: Uint8Array }, b: { id: Uint8Array }): number {
  return Buffer.compare(a.id, b.id)
}
