/**
 * The conversions between types that lose nothing, the same on every database. What does not convert is told, and never
 * replaced by something else. Pure.
 */
import type { ColumnPlan, ColumnType } from 'svc-stores/table'
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

function iso(value: unknown): string {
  return (value as Date).toISOString()
}

function bit(value: unknown): boolean | undefined {
  return value === 0 ? false : value === 1 ? true : undefined
}

/** @returns the conversion of values that are not null, which answers `undefined` for one without a counterpart; `null` where there is none */
export function conversion(from: ColumnPlan, to: ColumnPlan): Convert | null {
  const item = from.type === to.type ? same : (CONVERSIONS[from.type]?.[to.type] ?? null)
  if (item === null) return null
  if (from.list === true) return to.list === true ? eachItem(item) : onlyItem(item)
  return to.list === true ? (value) => listOf(item(value)) : item
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
  return from.type !== to.type || (from.list ?? false) !== (to.list ?? false)
}
