/**
 * The values of a new row: unknown fields are dropped, defaults and null fill what is missing, the id and the timestamps
 * are set here. What a field does with its value is decided once, not for each row. Pure; the result shares nothing with
 * what was given.
 */
import { type IdForm, isRecord } from 'svc-stores/table'
import { InvalidValue } from '../errors.ts'
import type { CompiledEntity, CompiledField } from './compiled-entity.ts'
import { idFormOf } from './existing-table.ts'
import { readField, readId, rowValueOf } from './field-values.ts'
import type { AnyRow } from './row-of.ts'

type Values = Readonly<Record<string, unknown>>

/** @param given `undefined` where the caller names none @param now epoch ms */
type ReadValue = (given: unknown, now: number) => unknown

interface RowReader {
  readonly ids: IdForm
  readonly id: ReadValue
  readonly fields: readonly { readonly name: string; readonly read: ReadValue }[]
}

const readers = new WeakMap<CompiledEntity, RowReader>()

/** The values of a new row, completed. @param now epoch ms @throws InvalidValue */
export function readNewRow(entity: CompiledEntity, values: unknown, ids: IdForm, now: number): AnyRow {
  if (!isRecord(values)) throw new InvalidValue(entity.name, 'an object with the values of a row')
  const { id, fields } = readerOf(entity, ids)
  const { key } = entity.id
  const row: AnyRow = { id: key === undefined ? (id(ownValue(values, 'id'), now) as string) : '' }
  for (const { name, read } of fields) row[name] = read(ownValue(values, name), now)
  if (key === undefined) return row
  row.id = key.textOf(row) as string
  if ((values.id ?? row.id) !== row.id) key.form.generate()
  return row
}

function ownValue(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function readerOf(entity: CompiledEntity, ids: IdForm): RowReader {
  const known = readers.get(entity)
  if (known?.ids === ids) return known
  const fields = [...entity.fields].map(([name, field]) => ({ name, read: valueReader(field, ids) }))
  const reader = { ids, id: idReader(entity.id, ids), fields }
  readers.set(entity, reader)
  return reader
}

function idReader(field: CompiledField, ids: IdForm): ReadValue {
  const form = idFormOf(field, ids)
  return (id) => (id === undefined ? form.generate() : readId(field, id, ids))
}

function valueReader(field: CompiledField, ids: IdForm): ReadValue {
  const { default: preset, nullable } = field
  // Its table knows the scope of the caller.
  if (field.scope) return (given) => (given === undefined ? null : readField(field, given, ids))
  if (field.managed) return managedReader(field)
  const read = fieldReader(field, ids)
  if (preset !== undefined) return (given) => read(given === undefined ? preset : given)
  if (nullable) return (given) => (given === undefined ? null : read(given))
  return (given) => {
    if (given === undefined) throw new InvalidValue(field.name, 'a value, because the field is required')
    return read(given)
  }
}

function managedReader({ default: preset, nullable }: CompiledField): ReadValue {
  if (preset !== undefined) return () => preset
  return nullable ? () => null : (_, now) => new Date(now)
}

/** A value as rows carry it. Of most fields nothing is asked but that the value is of their type. @throws InvalidValue */
export function fieldReader(field: CompiledField, ids: IdForm): (given: unknown) => unknown {
  const { array, type, rule, maxLength, fieldType } = field
  const any = (given: unknown) => rowValueOf(field, readField(field, given, ids))
  if (array || type === 'id' || rule !== undefined || maxLength !== null) return any
  return (given) => {
    const value = given === null ? undefined : fieldType.read(given, field)
    if (value === undefined) return any(given)
    return fieldType.fromStored === undefined ? value : fieldType.fromStored(value, field)
  }
}
