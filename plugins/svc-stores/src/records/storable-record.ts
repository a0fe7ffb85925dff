/**
 * The door into every store: a checked copy of what the caller hands in, or a
 * refusal that names the field. A column holds a value that every database can
 * hold; a key fits an index; an object stands only where free JSON belongs. Pure.
 */
import { InvalidRecord } from '../errors.ts'
import { copyJson } from './copy-json.ts'

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

const LONE_SURROGATE = /\p{Surrogate}/u

/** A new record: the fields of its shape and no others. @throws InvalidRecord */
export function storableRecord<Given extends object>(given: Given, shape: RecordShape): Given {
  for (const field of shape.fields) {
    if (fieldOf(given, field) === undefined && !shape.optional?.includes(field)) {
      throw new InvalidRecord(field, 'it is missing')
    }
  }
  return checkedCopy(given, shape.fields, shape)
}

/** A change: those of its fields that were given. @throws InvalidRecord */
export function storablePatch<Patch extends object>(patch: Patch, shape: RecordShape): Patch {
  return checkedCopy(patch, shape.patch ?? [], shape)
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
    else if (typeof item === 'object' && item !== null)
      throw new InvalidRecord(field, 'an object does not belong there')
  }
}

/** Whether a column of text can hold it: no NUL, no half of a character. */
export function hasOnlyStorableText(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text)
}

/** @throws InvalidRecord */
export function checkText(field: string, text: string, key: boolean): void {
  if (text.includes('\0')) throw new InvalidRecord(field, 'it holds a NUL character')
  if (LONE_SURROGATE.test(text)) throw new InvalidRecord(field, 'it holds half a character (a lone surrogate)')
  if (key && Buffer.byteLength(text) > MAX_KEY_BYTES) {
    throw new InvalidRecord(field, `it is longer than ${MAX_KEY_BYTES} bytes`)
  }
}
