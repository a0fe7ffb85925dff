/**
 * What becomes of a value when its field gets another type, written by hand: the old field, the new one, and for each value
 * what rows hold afterwards. `stops`: the migration ends before a value is changed.
 */
import type { FieldDefinition } from '../entities/entity-definition.ts'

/** No value of the new field. */
export const STOPS = Symbol('stops')

/** Of the days, where a migration asks for one: two hours ahead of UTC in the summer. */
export const CASES_ZONE = 'Europe/Vienna'

export interface ConversionCase {
  readonly from: FieldDefinition
  readonly to: FieldDefinition
  readonly value: unknown
  readonly result: unknown
}

const FIELDS: Readonly<Record<string, FieldDefinition>> = {
  string: { type: 'string' },
  text: { type: 'text' },
  three: { type: 'string', maxLength: 3 },
  integer: { type: 'integer' },
  float: { type: 'float' },
  bigint: { type: 'bigint' },
  cents: { type: 'decimal', scale: 2 },
  mills: { type: 'decimal', scale: 3 },
  boolean: { type: 'boolean' },
  date: { type: 'date' },
  day: { type: 'day' },
  uuid: { type: 'uuid' },
  states: { type: 'enum', values: ['open', 'done', '5', 'true'] },
  fewer: { type: 'enum', values: ['open', '5'] },
  json: { type: 'json' },
  texts: { type: 'string', array: true },
  days: { type: 'day', array: true },
  bytes: { type: 'bytes' },
  twoBytes: { type: 'bytes', maxLength: 2 }
}

/** Values are JSON, moments begin with `@`, bytes with `#`. */
const TABLE = `
  string to day: "2026-07-01" = "2026-07-01" | "2026-02-30" stops | "2026-07-01T22:30:00.000Z" stops | "" stops | "hello" stops
  text to uuid: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" | "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6" = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" | "5" stops | "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}" stops
  string to states: "open" = "open" | "Open" stops | "closed" stops | "" stops
  string to three: "abc" = "abc" | "😀😀😀" = "😀😀😀" | "abcd" stops
  three to text: "abc" = "abc"
  string to integer: "-7" = -7 | "05" stops | "5.0" stops | "9007199254740993" stops
  string to float: "1.5e3" = 1500 | "NaN" stops | "1e999" stops
  string to bigint: "9223372036854775807" = "9223372036854775807" | "9223372036854775808" stops | "x" stops
  string to cents: "12.5" = "12.50" | "12.505" stops
  string to boolean: "true" = true | "false" = false | "yes" stops
  string to date: "2026-07-01T22:30:00Z" = @2026-07-01T22:30:00.000Z | "2026-07-01" stops | "2026-02-30T00:00:00Z" stops
  string to json: "5" = "5" | "{}" = "{}"
  string to bytes: "AAA=" stops
  integer to uuid: 5 stops
  integer to day: 20260701 stops
  integer to states: 5 = "5" | 6 stops
  integer to three: -99 = "-99" | 1000 stops
  integer to string: -7 = "-7"
  integer to float: 7 = 7
  integer to cents: 7 = "7.00" | 9007199254740991 = "9007199254740991.00"
  integer to boolean: 0 = false | 1 = true | 2 stops
  integer to date: 0 = @1970-01-01T00:00:00.000Z | 9007199254740991 stops
  integer to json: 7 = 7
  float to integer: 7 = 7 | 7.5 stops | 9007199254740992 stops
  float to string: 0.1 = "0.1" | 1e+21 = "1e+21"
  float to uuid: 0.1 stops
  float to day: 1.5 stops
  float to states: 5 = "5" | 0.5 stops
  float to cents: 0.1 = "0.10" | 0.125 stops
  boolean to day: true stops
  boolean to uuid: false stops
  boolean to states: true = "true" | false stops
  boolean to string: true = "true"
  boolean to three: false stops
  boolean to integer: true = 1 | false = 0
  boolean to date: true stops
  bigint to string: "-9007199254740993" = "-9007199254740993"
  bigint to integer: "5" = 5 | "9007199254740993" stops
  bigint to day: "5" stops
  bigint to states: "5" = "5" | "6" stops
  cents to mills: "12.50" = "12.500"
  mills to cents: "12.500" = "12.50" | "12.505" stops
  cents to three: "9.50" stops
  cents to float: "0.10" = 0.1
  date to day: @2026-07-01T22:30:00.000Z = "2026-07-02" | @2026-01-01T22:30:00.000Z = "2026-01-01"
  day to date: "2026-07-01" = @2026-06-30T22:00:00.000Z | "2026-01-01" = @2025-12-31T23:00:00.000Z
  date to string: @2026-07-01T22:30:00.000Z = "2026-07-01T22:30:00.000Z"
  date to three: @2026-07-01T22:30:00.000Z stops
  date to uuid: @2026-07-01T22:30:00.000Z stops
  date to states: @2026-07-01T22:30:00.000Z stops
  date to integer: @1970-01-01T00:00:00.005Z = 5
  date to json: @2026-07-01T22:30:00.000Z = "2026-07-01T22:30:00.000Z"
  day to string: "2026-07-01" = "2026-07-01"
  day to three: "2026-07-01" stops
  day to uuid: "2026-07-01" stops
  day to integer: "2026-07-01" stops
  uuid to string: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
  uuid to day: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" stops
  uuid to states: "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" stops
  states to string: "done" = "done"
  states to fewer: "open" = "open" | "done" stops
  fewer to states: "open" = "open"
  states to three: "5" = "5" | "open" stops
  states to integer: "5" = 5 | "open" stops
  states to day: "open" stops
  json to day: "2026-07-01" = "2026-07-01" | 5 stops | {"a":1} stops
  json to uuid: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6" = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" | ["x"] stops
  json to states: "open" = "open" | true stops
  json to three: "abc" = "abc" | "abcd" stops | 5 stops
  json to integer: 5 = 5 | "5" stops | 5.5 stops
  json to boolean: false = false | 0 stops
  json to date: "2026-07-01T22:30:00.000Z" = @2026-07-01T22:30:00.000Z | 5 stops
  texts to days: ["2026-07-01"] = ["2026-07-01"] | [] = [] | ["2026-07-01","x"] stops
  texts to day: ["2026-07-01"] = "2026-07-01" | ["2026-07-01","2026-07-02"] stops | [] stops
  string to days: "2026-07-01" = ["2026-07-01"] | "x" stops
  texts to three: ["abc"] = "abc" | ["abcd"] stops
  bytes to twoBytes: #0102 = #0102 | #010203 stops
  twoBytes to bytes: #01 = #01
`

export const CONVERSION_CASES: readonly ConversionCase[] = TABLE.trim().split('\n').flatMap(casesOf)

function casesOf(line: string): ConversionCase[] {
  const [, from = '', to = '', values = ''] = /^ *(\w+) to (\w+): (.*)$/.exec(line) ?? []
  return values.split(' | ').map((text) => {
    const [value = '', result] = text.replace(/ stops$/, '').split(' = ')
    return { ...pair(from, to), value: valueIn(value), result: result === undefined ? STOPS : valueIn(result) }
  })
}

/** @throws for a line that names no field */
function pair(...names: readonly [from: string, to: string]) {
  const [from, to] = names.map((name) => FIELDS[name])
  if (from === undefined || to === undefined) throw new TypeError(`no field: ${names.join(', ')}`)
  return { from, to }
}

function valueIn(text: string): unknown {
  if (text.startsWith('@')) return new Date(text.slice(1))
  return text.startsWith('#') ? new Uint8Array(Buffer.from(text.slice(1), 'hex')) : JSON.parse(text)
}
