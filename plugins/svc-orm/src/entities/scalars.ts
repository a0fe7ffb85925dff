/**
 * Whether a value is one that a field of a type can hold, in the one form that
 * drivers see: dates as `Date`, numbers without -0. Pure; nothing is coerced.
 */
import { type ConditionValue, hasOnlyStorableText } from 'svc-stores/table'
import type { CompiledField } from './compiled-entity.ts'
import type { FieldType } from './entity-definition.ts'
import { unitsOf } from './exact-number.ts'

export type ScalarType = Exclude<FieldType, 'json' | 'bytes'>

/** What of a field decides about a scalar. */
export type ScalarField = Pick<CompiledField, 'values' | 'scale'> & { readonly type: ScalarType }

/** Whether values of a field are scalars, each on its own or each in a list: what can be compared, and has an order. */
export function isScalar(field: CompiledField): field is CompiledField & ScalarField {
  return field.type !== 'json' && field.type !== 'bytes'
}

/** @returns exact numbers in units; `undefined` when the value is of another type, null included */
export function readScalar({ type, values = [], scale = 0 }: ScalarField, given: unknown): ConditionValue | undefined {
  switch (type) {
    case 'string':
    case 'text':
    case 'id':
      return typeof given === 'string' && hasOnlyStorableText(given) ? given : undefined
    case 'integer':
      // Adding 0 makes 0 of -0.
      return Number.isSafeInteger(given) ? (given as number) + 0 : undefined
    case 'float':
      return Number.isFinite(given) ? (given as number) + 0 : undefined
    case 'bigint':
    case 'decimal':
      return unitsOf(given, scale)
    case 'boolean':
      return typeof given === 'boolean' ? given : undefined
    case 'date':
      return readDate(given)
    case 'day':
      return typeof given === 'string' && DAY.test(given) && isCalendarDay(given) ? given : undefined
    case 'uuid':
      return typeof given === 'string' && UUID.test(given) ? given.toLowerCase() : undefined
    case 'enum':
      return values.find((value) => value === given)
  }
}

const EXPECTED: Readonly<Record<Exclude<ScalarType, 'enum' | 'decimal'>, string>> = {
  string: 'text without NUL or lone surrogates',
  text: 'text without NUL or lone surrogates',
  id: 'an id',
  integer: 'a safe integer',
  float: 'a finite number',
  bigint: 'an integer of 64 bits, as text, bigint or number',
  boolean: 'true or false',
  date: 'a Date or ISO 8601 text with a time zone, in the years 1 to 9999',
  day: 'a day as YYYY-MM-DD, in the years 1 to 9999',
  uuid: 'a UUID'
}

/** For messages. */
export function expectedScalar({ type, values = [], scale = 0 }: ScalarField): string {
  if (type === 'decimal') return `a number with at most ${scale} decimals, as text, bigint or number, within 64 bits`
  return type === 'enum' ? `one of ${values.join(', ')}` : EXPECTED[type]
}

/** A value of each type as JSON, for exports, requests and answers. `json` and `bytes` are not among them: see `itemSchema`. */
const SCALAR_SCHEMAS: Readonly<Record<ScalarType, Readonly<Record<string, unknown>>>> = {
  string: { type: 'string' },
  text: { type: 'string' },
  integer: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  float: { type: 'number' },
  bigint: { type: 'string', format: 'int64' },
  decimal: { type: 'string' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
  uuid: { type: 'string', format: 'uuid' },
  enum: { type: 'string' },
  id: { type: 'string' }
}

/** The schema of one value, without what it must meet beside its type. */
export function scalarSchema({ type, values, scale = 0 }: ScalarField): Readonly<Record<string, unknown>> {
  if (type === 'decimal') {
    const decimals = scale === 0 ? '' : `(\\.[0-9]{1,${scale}})?`
    return { type: 'string', pattern: `^-?[0-9]{1,${19 - scale}}${decimals}$` }
  }
  return values === undefined ? SCALAR_SCHEMAS[type] : { ...SCALAR_SCHEMAS[type], enum: values }
}

/** The schema of a value of a field, of a list that of an item. JSON without a schema of its own may be anything, bytes are base64. */
export function itemSchema(field: CompiledField): Readonly<Record<string, unknown>> {
  const { type, maxLength, rule } = field
  if (type === 'bytes') {
    const longest = maxLength === null ? {} : { maxLength: Math.ceil(maxLength / 3) * 4 }
    return { type: 'string', format: 'byte', contentEncoding: 'base64', ...longest }
  }
  const typed = isScalar(field) ? scalarSchema(field) : {}
  return { ...typed, ...(maxLength === null ? {} : { maxLength }), ...rule?.schema }
}

const DAY = /^(?!0000)\d{4}-\d{2}-\d{2}$/
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const FORM = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** Reads a valid `Date`, or ISO 8601 text with its time zone; milliseconds, years 1 to 9999. @returns a `Date` of its own, `undefined` when it is no such moment */
export function readDate(given: unknown): Date | undefined {
  const moment = momentOf(given)
  return moment >= EARLIEST && moment <= LATEST ? new Date(moment) : undefined
}

function momentOf(given: unknown): number {
  if (given instanceof Date) return given.getTime()
  if (typeof given !== 'string') return Number.NaN
  const [, day] = FORM.exec(given) ?? []
  return day === undefined || !isCalendarDay(day) ? Number.NaN : Date.parse(given)
}

/** `Date.parse` takes 30 February for a day of March. */
function isCalendarDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}
