/**
 * The conversions between types that lose nothing, the same on every database. What does not convert is told, and never
 * replaced by something else. Pure.
 */
import type { ColumnPlan, ColumnType } from 'svc-stores/table'
import { readBytes } from '../entities/bytes.ts'
import { exactText, shownValue, unitsOf } from '../entities/exact-number.ts'
import { readDate } from '../entities/scalars.ts'

/** `undefined`: the value has no counterpart. */
type Convert = (value: unknown) => unknown

const INTEGER = /^-?(?:0|[1-9]\d*)$/
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

const same: Convert = (value) => value
const whole: Convert = (value) => (Number.isSafeInteger(value) ? value : undefined)
const finite: Convert = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
const moment: Convert = (value) => (typeof value === 'number' ? readDate(new Date(value)) : undefined)
const isoDate: Convert = (value) => (typeof value === 'string' ? readDate(value) : undefined)
const numberOf =
  (form: RegExp): Convert =>
  (value) =>
    form.test(String(value)) ? finite(Number(value)) : undefined

const CONVERSIONS: Partial<Record<ColumnType, Partial<Record<ColumnType, Convert>>>> = {
  text: {
    id: same,
    json: same,
    integer: (value) => whole(numberOf(INTEGER)(value)),
    float: numberOf(NUMBER),
    boolean: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
    date: isoDate
  },
  id: { text: same, json: same },
  integer: { float: same, json: same, text: String, boolean: bit, date: moment },
  float: { json: same, text: String, integer: whole },
  boolean: { json: same, text: String, integer: Number, float: Number },
  date: { text: iso, json: iso, integer: (value) => (value as Date).getTime() },
  json: {
    text: (value) => (typeof value === 'string' ? value : undefined),
    integer: whole,
    float: finite,
    boolean: (value) => (typeof value === 'boolean' ? value : undefined),
    date: isoDate
  }
}

/** What may say an exact number. */
const EXACT_FROM: readonly ColumnType[] = ['text', 'integer', 'float']

function iso(value: unknown): string {
  return (value as Date).toISOString()
}

function bit(value: unknown): boolean | undefined {
  return value === 0 ? false : value === 1 ? true : undefined
}

/** @returns the conversion of values that are not null, which answers `undefined` for one without a counterpart; `null` where there is none */
export function conversion(from: ColumnPlan, to: ColumnPlan): Convert | null {
  const item = itemConversion(from, to)
  if (item === null) return null
  if (from.list === true) return to.list === true ? eachItem(item) : onlyItem(item)
  return to.list === true ? (value) => listOf(item(value)) : item
}

/** What is written for rows that hold nothing: as a migration gives it, or the default. An exact number is given as rows carry it. */
export function filledValue(column: ColumnPlan, given: unknown): unknown {
  const { type, list = false, scale = 0 } = column
  const value = given ?? column.default
  if (value === undefined || value === null || list) return value
  if (type === 'date') return new Date(value as string)
  if (type === 'bytes') return readBytes(value)
  if (type !== 'bigint') return value
  return given === undefined || given === null ? BigInt(value as string) : unitsOf(value, scale)
}

/** The conversion that a migration gives, or else the one that loses nothing; each exact number as rows carry it. */
export function columnConversion(from: ColumnPlan, to: ColumnPlan, given: Convert | undefined): Convert {
  if (given === undefined) return conversion(from, to) ?? (() => undefined)
  return (value) => {
    const converted = given(shownValue(from, value))
    return converted === undefined || converted === null ? converted : filledValue(to, converted)
  }
}

function itemConversion(from: ColumnPlan, to: ColumnPlan): Convert | null {
  const [before, after] = [from.scale ?? 0, to.scale ?? 0]
  const plain = from.type === to.type ? same : (CONVERSIONS[from.type]?.[to.type] ?? null)
  if (from.type !== 'bigint' && to.type !== 'bigint') return plain
  if (from.type !== 'bigint') return EXACT_FROM.includes(from.type) ? (value) => unitsOf(value, after) : null
  if (to.type === 'bigint')
    return before === after ? same : (value) => unitsOf(exactText(value as bigint, before), after)
  const textual = (value: unknown) => exactText(value as bigint, before)
  if (to.type === 'text') return textual
  if (to.type !== 'integer' && to.type !== 'float') return null
  const fits = to.type === 'integer' ? whole : finite
  return (value) => {
    const number = Number(textual(value))
    // One that would be rounded has no counterpart.
    return unitsOf(number, before) === value ? fits(number) : undefined
  }
}

function eachItem(convert: Convert): Convert {
  return (list) => {
    const items = (list as readonly unknown[]).map(convert)
    return items.includes(undefined) ? undefined : items
  }
}

/** A list of one is its item; any other list is more, or less, than one value. */
function onlyItem(convert: Convert): Convert {
  return (list) => {
    const [item, ...others] = list as readonly unknown[]
    return item === undefined || others.length > 0 ? undefined : convert(item)
  }
}

function listOf(item: unknown): unknown {
  return item === undefined ? undefined : [item]
}

/** Whether values have to be touched: in every database text and ids of another row are read alike, but documents keep ids as such. */
export function isConverted(from: ColumnPlan, to: ColumnPlan): boolean {
  return from.type !== to.type || (from.scale ?? 0) !== (to.scale ?? 0) || (from.list ?? false) !== (to.list ?? false)
}
