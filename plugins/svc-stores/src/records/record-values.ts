/**
 * The values of records: copied, so that callers change none that is stored, and checked where they go
 * into a store: a column holds what every database can hold, a key fits an index, an object is taken only where free
 * JSON belongs. Keys such as `__proto__` stay plain keys. Pure.
 */
import { InvalidRecord } from '../errors.ts'

/** Plain data: what JSON can say, and nothing else. */
export type Json = string | number | boolean | null | JsonArray | JsonObject

/** A list of JSON values. */
export type JsonArray = readonly Json[]

/** An object of JSON values. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** The fields of a record, and what each may hold. */
export interface RecordShape {
  readonly fields: readonly string[]
  /** Of `fields`, those that may be left out. */
  readonly optional?: readonly string[]
  /** Fields of a change. */
  readonly patch?: readonly string[]
  /** Text that is looked up: it has to fit an index. */
  readonly keys: readonly string[]
  /** Free JSON. */
  readonly json: readonly string[]
}

/** Bytes of UTF-8; what the smallest index of our databases takes. */
const MAX_KEY_BYTES = 2048
const MAX_DEPTH = 100

/** A new record: the fields of its shape and no others. @throws InvalidRecord */
export function storableRecord<Given extends object>(given: Given, shape: RecordShape): Given {
  const missing = shape.fields.find((field) => {
    return fieldOf(given, field) === undefined && shape.optional?.includes(field) !== true
  })
  if (missing !== undefined) throw new InvalidRecord(missing, 'it is missing')
  return checkedCopy(given, shape.fields, shape)
}

/** A change: those of its fields that were given. @throws InvalidRecord */
export function storablePatch<Patch extends object>(patch: Patch, shape: RecordShape): Patch {
  return checkedCopy(patch, shape.patch ?? [], shape)
}

/**
 * A row of the same values.
 *
 * @param without columns that are left out
 * @param deep those that may hold an object, where they are known; default: all
 */
export function copyRow<Row extends object>(row: Row, without: readonly string[] = [], deep?: readonly string[]): Row {
  const copy = copyFields(row, deep)
  for (const name of without) delete copy[name]
  return copy as Row
}

/** A deep copy. What JSON cannot say is refused, so that no driver keeps what another loses. @throws InvalidRecord naming `field` */
export function copyJson<T>(value: T, field: string): T {
  return checkedJson(value, field, 0) as T
}

/** A plain object; instances of classes are none. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return true
  // As path parameters of Fastify are: their prototype is empty, and has none itself.
  return Object.getPrototypeOf(prototype) === null
}

/** Whether a column of text can hold it: no NUL, no half of a character. */
export function hasOnlyStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** @throws InvalidRecord */
export function checkText(field: string, text: string, key: boolean): void {
  if (text.includes('\0')) throw new InvalidRecord(field, 'it contains a NUL character')
  if (!text.isWellFormed()) throw new InvalidRecord(field, 'it contains a lone surrogate')
  if (key && Buffer.byteLength(text) > MAX_KEY_BYTES) {
    throw new InvalidRecord(field, `it is longer than ${MAX_KEY_BYTES} bytes`)
  }
}

function checkedCopy<T extends object>(given: T, fields: readonly string[], shape: RecordShape): T {
  const copy: Record<string, unknown> = {}
  for (const field of fields) {
    const value = fieldOf(given, field)
    if (value === undefined) continue
    if (!shape.json.includes(field)) checkColumn(field, value, shape.keys.includes(field))
    copy[field] = copyJson(value, field)
  }
  return copy as T
}

function fieldOf(given: object, field: string): unknown {
  return Object.hasOwn(given, field) ? (given as Record<string, unknown>)[field] : undefined
}

function checkColumn(field: string, value: unknown, key: boolean): void {
  for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (typeof item === 'string') checkText(field, item, key)
    else if (typeof item === 'object' && item !== null) throw new InvalidRecord(field, 'it must not be an object')
  }
}

function copyValue(value: object): unknown {
  if (value instanceof Date) return new Date(value)
  // Of the same class; that of a Buffer would share its memory.
  if (value instanceof Uint8Array) return Uint8Array.prototype.slice.call(value)
  return Array.isArray(value) ? value.map(copyItem) : copyFields(value)
}

function copyItem(item: unknown): unknown {
  return typeof item === 'object' && item !== null ? copyValue(item) : item
}

/** Spread first: most fields hold no object, and one named `__proto__` is by then a plain one, to be assigned like others. */
function copyFields(from: object, deep?: readonly string[]): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...from }
  for (const name of deep ?? Object.keys(copy)) {
    const value = copy[name]
    if (typeof value === 'object' && value !== null) copy[name] = copyValue(value)
  }
  return copy
}

function checkedJson(value: unknown, field: string, depth: number): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new InvalidRecord(field, 'a number must be finite')
    return value
  }
  if (typeof value !== 'object') throw new InvalidRecord(field, `a ${typeof value} is not data`)
  if (depth === MAX_DEPTH) throw new InvalidRecord(field, `it is nested more than ${MAX_DEPTH} levels deep`)
  // By index, so that a hole in the list is seen as the `undefined` it reads as.
  if (Array.isArray(value)) return Array.from(value, (item) => checkedJson(item, field, depth + 1))
  if (!isRecord(value)) throw new InvalidRecord(field, 'an instance is not data')
  // As JSON does: a key without a value is no key.
  const held = Object.entries(value).filter(([, item]) => item !== undefined)
  return Object.fromEntries(held.map(([key, item]) => [key, checkedJson(item, field, depth + 1)]))
}
