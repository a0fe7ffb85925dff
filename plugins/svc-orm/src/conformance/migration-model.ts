/**
 * What a migration has to make of rows, said once more and in other words: from the two definitions and the values alone. A
 * model imports nothing that it judges. Pure.
 */
import type { FieldDefinition } from '../entities/entity-definition.ts'
import type { FieldType } from '../fields/field-types.ts'

export type ModelRow = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, FieldDefinition>>

/** No value of the new field: the migration stops. */
const STOPS = Symbol('stops')
/** Nothing in a type says how: the migration asks a person, who gave the value that fills. */
const DECIDED = Symbol('decided')

/** The zone of the days, an hour ahead of UTC all the year: what the marks of the migration are filled in with. */
export const MODEL_ZONE = 'Etc/GMT-1'
const HOUR = 3_600_000

export interface ModelMigration {
  readonly before: Fields
  readonly after: Fields
  /** Names before, by the names after. */
  readonly renamed: Readonly<Record<string, string>>
  /** What a person gives for rows that have no value. */
  readonly fill: (field: FieldDefinition) => unknown
}

/** The same migration the other way round. */
export function reversed({ before, after, renamed, fill }: ModelMigration): ModelMigration {
  const names = Object.entries(renamed).map(([now, then]) => [then, now])
  return { before: after, after: before, renamed: Object.fromEntries(names), fill }
}

/** @returns the rows as they are to be; `null` where one of their values stops the migration */
export function modelRows(rows: readonly ModelRow[], migration: ModelMigration): readonly ModelRow[] | null {
  const made = rows.map((row) => modelRow(row, migration))
  return made.some((row) => Object.values(row).includes(STOPS)) ? null : made
}

function modelRow(row: ModelRow, { before, after, renamed, fill }: ModelMigration): ModelRow {
  const values = Object.entries(after).map(([name, field]) => {
    const source = renamed[name] ?? name
    const old = before[source]
    if (old === undefined) return [name, field.nullable && field.default === undefined ? null : preset(field, fill)]
    const value = row[source]
    if (value === null) return [name, field.nullable ? null : preset(field, fill)]
    const made = changed(old, field, value)
    return [name, made === DECIDED ? given(field, fill(field)) : made]
  })
  return Object.fromEntries(values)
}

/** A default is written as a row has it. */
function preset(field: FieldDefinition, fill: ModelMigration['fill']): unknown {
  const value = field.default ?? fill(field)
  return field.type === 'date' && typeof value === 'string' ? new Date(value) : given(field, value)
}

function given({ type, scale = 0, array }: FieldDefinition, value: unknown): unknown {
  if (array) return value
  if (type === 'bigint' || type === 'decimal') return decimals(String(value), scale)
  return type === 'uuid' ? String(value).toLowerCase() : value
}

function changed(old: FieldDefinition, now: FieldDefinition, value: unknown): unknown {
  const one = (item: unknown) => becomes(old, now, item)
  if (!old.array) return now.array ? asList([one(value)]) : one(value)
  const items = value as readonly unknown[]
  // Of an empty list nothing says how its items would become another type, and nothing has to.
  if (one(SAMPLES[old.type as FieldType]) === DECIDED) return DECIDED
  if (now.array) return asList(items.map(one))
  return items.length === 1 ? one(items[0]) : STOPS
}

function asList(items: readonly unknown[]): unknown {
  return items.find((item) => item === DECIDED || item === STOPS) ?? items
}

/** Any value of a type that lists hold. */
const SAMPLES: Partial<Record<FieldType, unknown>> = {
  ...{ string: '', text: '', enum: '', day: '2026-01-02', uuid: '0', integer: 0, float: 0, boolean: true },
  date: new Date(0)
}

const TEXTS: readonly FieldType[] = ['string', 'text', 'enum']
const EXACT: readonly FieldType[] = ['bigint', 'decimal']

type Becomes = (value: unknown, from: FieldType, now: FieldDefinition) => unknown

/** What a value of any type but bytes becomes, by the new type. */
const BECOMES: Readonly<Partial<Record<FieldType, Becomes>>> = {
  string: (value, from, now) => narrow(now, textOf(from, value)),
  text: (value, from, now) => narrow(now, textOf(from, value)),
  enum: (value, from, now) => narrow(now, textOf(from, value)),
  day(value, from) {
    if (from === 'date') return new Date((value as Date).getTime() + HOUR).toISOString().slice(0, 10)
    return isText(from) || from === 'day' || from === 'json' ? dayIn(value) : DECIDED
  },
  uuid: (value, from) => (isText(from) || from === 'uuid' || from === 'json' ? uuidIn(value) : DECIDED),
  boolean(value, from) {
    if (isText(from)) return value === 'true' || value === 'false' ? value === 'true' : STOPS
    if (from === 'integer') return value === 1 || value === 0 ? value === 1 : STOPS
    if (from !== 'boolean' && from !== 'json') return DECIDED
    return typeof value === 'boolean' ? value : STOPS
  },
  date(value, from) {
    if (from === 'date') return value
    if (from === 'day') return momentIn(Date.parse(`${value}T00:00:00Z`) - HOUR)
    if (from === 'integer') return momentIn(value as number)
    return isText(from) || from === 'json' ? isoIn(value) : DECIDED
  },
  json(value, from) {
    if (EXACT.includes(from)) return DECIDED
    return from === 'date' ? (value as Date).toISOString() : value
  },
  integer: (value, from) => numberOf(from, 'integer', value),
  float: (value, from) => numberOf(from, 'float', value),
  bigint: exactOf,
  decimal: exactOf
}

function becomes(old: FieldDefinition, now: FieldDefinition, value: unknown): unknown {
  const [from, to] = [old.type, now.type] as [FieldType, FieldType]
  if (from === 'bytes' || to === 'bytes') return from === to ? shortBytes(now, value) : DECIDED
  return BECOMES[to]?.(value, from, now)
}

function isText(type: FieldType): boolean {
  return TEXTS.includes(type)
}

function shortBytes({ maxLength = 1e9 }: FieldDefinition, value: unknown): unknown {
  return (value as Uint8Array).length <= maxLength ? value : STOPS
}

function exactOf(value: unknown, from: FieldType, { scale = 0 }: FieldDefinition): unknown {
  if (!isText(from) && !EXACT.includes(from) && from !== 'integer' && from !== 'float') return DECIDED
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) return STOPS
  return decimals(String(value), scale)
}

/** Every type but bytes has a text; of JSON only a text has. */
function textOf(from: FieldType, value: unknown): unknown {
  if (from === 'date') return (value as Date).toISOString()
  if (from === 'json') return typeof value === 'string' ? value : STOPS
  return String(value)
}

function narrow({ type, values = [], maxLength = 1e9 }: FieldDefinition, text: unknown): unknown {
  if (typeof text !== 'string') return STOPS
  if (type === 'enum') return values.includes(text) ? text : STOPS
  return [...text].length <= maxLength ? text : STOPS
}

function dayIn(value: unknown): unknown {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(String(value)) ?? []
  if (year === undefined || year === '0000' || typeof value !== 'string') return STOPS
  const last = [31, isLeap(+year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0
  return Number(date) >= 1 && Number(date) <= last ? value : STOPS
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function uuidIn(value: unknown): unknown {
  const isUuid = typeof value === 'string' && value.length === 36 && value.split('-').length === 5
  return isUuid && /^.{8}-.{4}-.{4}-.{4}-.{12}$/.test(value) && !/[^-0-9a-f]/i.test(value) ? value.toLowerCase() : STOPS
}

function isoIn(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT.*(Z|[-+]\d\d:\d\d)$/.test(value)) return STOPS
  return dayIn(value.slice(0, 10)) === STOPS ? STOPS : momentIn(Date.parse(value))
}

/** Of the years 1 to 9999. */
function momentIn(ms: number): unknown {
  return ms >= -62_135_596_800_000 && ms <= 253_402_300_799_999 ? new Date(ms) : STOPS
}

function numberOf(from: FieldType, to: 'integer' | 'float', value: unknown): unknown {
  const fits = (number: unknown) => (to === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number))
  const kept = (number: unknown) => (fits(number) ? number : STOPS)
  if (from === 'integer' || from === 'float') return kept(value)
  if (from === 'json') return kept(value)
  if (from === 'boolean') return value === true ? 1 : 0
  if (from === 'date') return to === 'integer' ? (value as Date).getTime() : DECIDED
  const text = String(value)
  if (EXACT.includes(from)) {
    const number = Number(text)
    const isExact = Math.abs(number) <= Number.MAX_SAFE_INTEGER && plain(String(number)) === plain(text)
    return isExact ? kept(number) : STOPS
  }
  if (!TEXTS.includes(from)) return DECIDED
  const form = to === 'integer' ? /^(-?[1-9]\d*|-?0)$/ : /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i
  return form.test(text) ? kept(Number(text)) : STOPS
}

/** `12.50` is 12.5. */
function plain(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** A number with so many decimals, within 64 bits of its smallest unit. */
function decimals(text: string, scale: number): unknown {
  const [, sign = '', whole, fraction = ''] = /^([-+]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined || /[1-9]/.test(fraction.slice(scale))) return STOPS
  const kept = fraction.slice(0, scale).padEnd(scale, '0')
  const units = BigInt(`${sign === '-' ? '-' : ''}${whole}${kept}`)
  if (units < -(2n ** 63n) || units >= 2n ** 63n) return STOPS
  const digits = String(BigInt(whole))
  const isNegative = units < 0n
  return `${isNegative ? '-' : ''}${scale === 0 ? digits : `${digits}.${kept}`}`
}
