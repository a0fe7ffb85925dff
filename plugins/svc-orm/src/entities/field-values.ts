/**
 * Values before they are written: of one field, and of a whole new row. Unknown fields are dropped, defaults and null
 * fill what is missing, the id and the timestamps are set here. Pure; the result shares nothing with what was given.
 */
import { type IdForm, isRecord } from 'svc-stores/table'
import { InvalidValue } from '../errors.ts'
import { rowValue, storedValue } from '../fields/field-type.ts'
import { lengthFault } from '../fields/field-types.ts'
import type { CompiledEntity, CompiledField } from './compiled-entity.ts'
import { idFormOf } from './existing-table.ts'
import type { AnyRow } from './row-of.ts'
import { meetsRule } from './value-rule.ts'

/** The value of one field; an exact number in units. @throws InvalidValue */
export function readField(field: CompiledField, given: unknown, ids: IdForm): unknown {
  if (given === null) {
    if (field.nullable) return null
    throw new InvalidValue(field.name, 'a value, because the field is required')
  }
  if (!field.array) return readItem(field, given, ids)
  if (!Array.isArray(given)) throw new InvalidValue(field.name, `a list, each item ${field.fieldType.expected(field)}`)
  return Array.from(given, (item) => readItem(field, item, ids))
}

function readItem(field: CompiledField, given: unknown, ids: IdForm): unknown {
  const { read, expected } = field.fieldType
  const value = read(given, field)
  if (value === undefined) throw new InvalidValue(field.name, expected(field))
  if (field.type === 'id') return readId(field, value, ids)
  const tooLong = lengthFault(field.fieldType, field, value)
  if (tooLong !== null) throw new InvalidValue(field.name, tooLong)
  return meetsRule(field, value)
}

/** What a column has as rows carry it; of a list each of its items. */
export function rowValueOf(field: CompiledField, stored: unknown): unknown {
  const { fieldType, array } = field
  return array && Array.isArray(stored)
    ? stored.map((item) => rowValue(fieldType, item, field))
    : rowValue(fieldType, stored, field)
}

/** The way back. */
export function storedValueOf(field: CompiledField, value: unknown): unknown {
  const { fieldType, array } = field
  return array && Array.isArray(value)
    ? value.map((item) => storedValue(fieldType, item, field))
    : storedValue(fieldType, value, field)
}

/** The values of a new row, completed. @param now epoch ms @throws InvalidValue */
export function readNewRow(entity: CompiledEntity, values: unknown, ids: IdForm, now: number): AnyRow {
  if (!isRecord(values)) throw new InvalidValue(entity.name, 'an object with the values of a row')
  const { key } = entity.id
  const row: { id: string; [field: string]: unknown } = {
    id: key === undefined ? readNewId(entity.id, values, ids) : ''
  }
  for (const [name, field] of entity.fields) row[name] = readNewField(field, values, ids, now)
  if (key === undefined) return row
  row.id = key.textOf(row) as string
  if ((values.id ?? row.id) !== row.id) key.form.generate()
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
  const given = Object.hasOwn(values, field.name) ? values[field.name] : undefined
  // Its table knows the scope of the caller.
  if (field.scope) return given === undefined ? null : readField(field, given, ids)
  if (field.managed) return field.default ?? (field.nullable ? null : new Date(now))
  if (given !== undefined) return rowValueOf(field, readField(field, given, ids))
  if (field.default !== undefined) return rowValueOf(field, readField(field, field.default, ids))
  if (field.nullable) return null
  throw new InvalidValue(field.name, 'a value, because the field is required')
}
