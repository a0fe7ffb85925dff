/**
 * What SQLite keeps a column as. It has four types where columns have nine: booleans and moments are integers, JSON is text.
 * A check per column tells them apart, and keeps others from writing what is no such value. Tables of version 0.1.0 have no
 * such checks: what cannot be told of them is taken to fit.
 */
import type { ColumnType } from '../../schema/table-definition.ts'
import { finite, json, type SqlColumnType, safeInteger } from '../column-type.ts'
import { columnBetween, digits, identifier, literal } from '../schema-text.ts'

/** The years 1 to 9999, in milliseconds. */
const EARLIEST = -62_135_596_800_000
const LATEST = 253_402_300_799_999

/** A table whose key has this name has all checks: text without one is no JSON. */
const CHECKED = 'checked'

export const checkedKey = `constraint ${CHECKED} `

const parsed = (stored: unknown): unknown => JSON.parse(String(stored))

/** Found by the affinity of their columns. */
export const SQLITE_TYPES: Readonly<Record<ColumnType, SqlColumnType>> = {
  text: { sql: 'text', foundAs: ['text'] },
  integer: { sql: 'integer', check: safeInteger, foundAs: ['integer', 'numeric'] },
  bigint: { sql: 'integer', decode: (stored) => BigInt(stored as string), preset: digits, foundAs: ['integer'] },
  float: { sql: 'real', check: finite, foundAs: ['real', 'numeric'] },
  boolean: {
    sql: 'integer',
    encode: (value) => (value ? 1 : 0),
    decode: (stored) => stored !== 0,
    check: (column) => ` check (${identifier(column)} in (0, 1))`,
    foundAs: ['integer', 'numeric']
  },
  date: {
    sql: 'integer',
    encode: (value) => (value instanceof Date ? value.getTime() : value),
    decode: (stored) => new Date(Number(stored)),
    preset: (value) => literal(Date.parse(String(value))),
    check: (column) => columnBetween(column, EARLIEST, LATEST),
    foundAs: ['integer', 'numeric']
  },
  bytes: { sql: 'blob', foundAs: ['blob'] },
  json: {
    sql: 'text',
    encode: json,
    decode: parsed,
    check: (column) => ` check (json_valid(${identifier(column)}))`,
    foundAs: ['text']
  },
  'json-text': { sql: 'text', encode: json, decode: parsed, foundAs: ['text'] },
  words: { sql: 'text', foundAs: ['text'] }
}

const TYPES = Object.entries(SQLITE_TYPES) as [ColumnType, SqlColumnType][]

/** The types that a standing column can be. @param declared its type @param definition of its table or view */
export function fittingTypes(name: string, declared: string, definition: string): readonly ColumnType[] {
  const affinity = affinityOf(declared, definition)
  const fitting = TYPES.filter(([, { foundAs }]) => affinity === null || foundAs.includes(affinity))
  const hasCheck = ([, { check }]: (typeof TYPES)[number]) => check !== undefined && definition.includes(check(name))
  const isTold = affinity !== null && fitting.some(hasCheck)
  // JSON as it was written has no check: what is valid JSON may be that.
  const told = fitting.filter((each) => hasCheck(each) || (affinity === 'text' && each[0] === 'json-text'))
  const isUnchecked = affinity === 'text' && definition.includes(checkedKey)
  const left = isUnchecked ? fitting.filter(([, { check }]) => check === undefined) : fitting
  return (isTold ? told : left).map(([type]) => type)
}

/** By SQLite's own rules (https://sqlite.org/datatype3.html, 3.1); `null` for what a view computes. */
function affinityOf(declared: string, definition: string): string | null {
  if (/INT/i.test(declared)) return 'integer'
  if (/CHAR|CLOB|TEXT/i.test(declared)) return 'text'
  if (/REAL|FLOA|DOUB/i.test(declared)) return 'real'
  if (declared === '' && /^create\s+(?:temp\w*\s+)?view\b/i.test(definition)) return null
  return /BLOB/i.test(declared) ? 'blob' : 'numeric'
}
