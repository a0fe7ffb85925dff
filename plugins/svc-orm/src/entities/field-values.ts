/** The values of one field: as they are given, as its column holds them, and as rows carry them. Pure. */
import type { IdForm } from 'svc-stores/table'
import { InvalidValue } from '../errors.ts'
import { rowValue, storedValue } from '../fields/field-type.ts'
import { lengthFault } from '../fields/field-types.ts'
import type { CompiledField } from './compiled-entity.ts'
import { idFormOf } from './existing-table.ts'
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

/** @throws InvalidValue */
export function readId(field: CompiledField, id: unknown, ids: IdForm): string {
  const form = idFormOf(field, ids)
  if (typeof id === 'string' && form.accepts(id)) return id
  throw new InvalidValue(field.name, form.description)
}
