/**
 * Values before they are written: of one field, and of a whole new row. Unknown fields are dropped, defaults and null
 * fill what is missing, the id and the timestamps are set here. Pure; the result shares nothing with what was given.
 */
import { hasOnlyStorableText, type IdForm, isRecord } from 'svc-stores/table'
import { InvalidValue } from '../errors.ts'
import { type Bytes, readBytes } from './bytes.ts'
import type { CompiledEntity, CompiledField } from './compiled-entity.ts'
import type { JsonValue } from './entity-definition.ts'
import { shownValue } from './exact-number.ts'
import { idFormOf } from './existing-table.ts'
import type { AnyRow } from './row-of.ts'
import { expectedScalar, isScalar, readScalar, type ScalarField } from './scalars.ts'
import { meetsRule } from './value-rule.ts'

const MAX_DEPTH = 64

/** For messages. */
const EXPECTED_JSON = `JSON, at most ${MAX_DEPTH} levels deep, without NUL or lone surrogates`

/** The value of one field; an exact number in units. @throws InvalidValue */
export function readField(field: CompiledField, given: unknown, ids: IdForm): unknown {
  if (given === null) {
    if (field.nullable) return null
    throw new InvalidValue(field.name, 'a value, because the field is required')
  }
  if (field.type === 'bytes') return readBytesOf(field, given)
  if (!isScalar(field)) {
    const copy = copyJson(given)
    if (copy === undefined) throw new InvalidValue(field.name, EXPECTED_JSON)
    return meetsRule(field, copy)
  }
  if (!field.array) return readItem(field, given, ids)
  if (!Array.isArray(given)) throw new InvalidValue(field.name, `a list, each item ${expectedScalar(field)}`)
  return Array.from(given, (item) => readItem(field, item, ids))
}

function readBytesOf({ name, maxLength }: CompiledField, given: unknown): Bytes {
  const bytes = readBytes(given)
  if (bytes === undefined) throw new InvalidValue(name, 'bytes: a Uint8Array, or base64')
  if (maxLength !== null && bytes.length > maxLength) throw new InvalidValue(name, `at most ${maxLength} bytes`)
  return bytes
}

function readItem(field: CompiledField & ScalarField, given: unknown, ids: IdForm): unknown {
  const value = readScalar(field, given)
  if (value === undefined) throw new InvalidValue(field.name, expectedScalar(field))
  if (typeof value !== 'string') return meetsRule(field, value)
  if (field.type === 'id') return readId(field, value, ids)
  if (field.maxLength !== null && isLongerThan(value, field.maxLength)) {
    throw new InvalidValue(field.name, `at most ${field.maxLength} characters`)
  }
  return meetsRule(field, value)
}

/** In code points, which JSON Schema counts too; a pair of surrogates is one. */
export function isLongerThan(text: string, length: number): boolean {
  if (text.length <= length) return false
  return text.length > 2 * length || Array.from(text).length > length
}

/** The values of a new row, completed. @param now epoch ms @throws InvalidValue */
export function readNewRow(entity: CompiledEntity, values: unknown, ids: IdForm, now: number): AnyRow {
  if (!isRecord(values)) throw new InvalidValue(entity.name, 'an object with the values of a row')
  const row: { id: string; [field: string]: unknown } = { id: readNewId(entity.id, values, ids) }
  for (const [name, field] of entity.fields) row[name] = readNewField(field, values, ids, now)
  return row
}

function readNewId(field: CompiledField, values: Readonly<Record<string, unknown>>, ids: IdForm): string {
  const id = Object.hasOwn(values, 'id') ? values.id : undefined
  return id === undefined ? idFormOf(field, ids).generate() : readId(field, id, ids)
}

function readId(field: CompiledField, id: unknown, ids: IdForm): string {
  const form = idFormOf(field, ids)
  if (typeof id === 'string' && form.accepts(id)) return id
  throw new InvalidValue(field.name, form.description)
}

function readNewField(
  field: CompiledField,
  values: Readonly<Record<string, unknown>>,
  ids: IdForm,
  now: number
): unknown {
  if (field.managed) return field.default ?? (field.nullable ? null : new Date(now))
  const given = Object.hasOwn(values, field.name) ? values[field.name] : undefined
  if (given !== undefined) return shownValue(field, readField(field, given, ids))
  if (field.default !== undefined) return shownValue(field, readField(field, field.default, ids))
  if (field.nullable) return null
  throw new InvalidValue(field.name, 'a value, because the field is required')
}

/**
 * Copies free JSON and refuses what JSON, or one of the databases, does not keep. Own keys only; `__proto__` is a key
 * like any other.
 *
 * @returns `undefined` when the value is no such JSON
 */
export function copyJson(given: unknown, depth = 0): JsonValue | undefined {
  if (given === null || typeof given === 'boolean') return given
  if (typeof given === 'string') return hasOnlyStorableText(given) ? given : undefined
  if (typeof given === 'number') return Number.isFinite(given) ? given + 0 : undefined
  if (typeof given !== 'object' || depth === MAX_DEPTH) return undefined
  if (Array.isArray(given)) {
    // By index: a hole is no JSON, and `map` would keep it.
    const items = Array.from(given, (item) => copyJson(item, depth + 1))
    return items.every((item) => item !== undefined) ? items : undefined
  }
  if (!isRecord(given)) return undefined
  const entries = Object.entries(given).map(([key, item]) => [key, copyJson(item, depth + 1)] as const)
  if (entries.some(([key, item]) => item === undefined || !hasOnlyStorableText(key))) return undefined
  return Object.fromEntries(entries) as JsonValue
}
