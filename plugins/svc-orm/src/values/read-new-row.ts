/**
 * Completes the values of a new row: unknown fields are dropped, defaults and
 * null fill what is missing, the id and the timestamps are given. Pure.
 */

import type { IdForm } from 'svc-stores/table'
import type { StoredRow } from '../driver/entity-gateway.ts'
import type { CompiledEntity, CompiledField } from '../entity/compiled-entity.ts'
import { InvalidValue } from '../errors.ts'
import { isRecord } from './is-record.ts'
import { readField } from './read-field.ts'

/** @param now epoch ms @throws InvalidValue */
export function readNewRow(entity: CompiledEntity, values: unknown, ids: IdForm, now: number): StoredRow {
  if (!isRecord(values)) throw new InvalidValue(entity.name, 'an object with the values of a row')
  const row: { id: string; [field: string]: unknown } = { id: readId(values, ids) }
  for (const [name, field] of entity.fields) row[name] = readNewField(field, values, ids, now)
  return row
}

function readId(values: Readonly<Record<string, unknown>>, ids: IdForm): string {
  const id = Object.hasOwn(values, 'id') ? values.id : undefined
  if (id === undefined) return ids.generate()
  if (typeof id === 'string' && ids.accepts(id)) return id
  throw new InvalidValue('id', ids.description)
}

function readNewField(
  field: CompiledField,
  values: Readonly<Record<string, unknown>>,
  ids: IdForm,
  now: number
): unknown {
  if (field.managed) return new Date(now)
  const given = Object.hasOwn(values, field.name) ? values[field.name] : undefined
  if (given !== undefined) return readField(field, given, ids)
  if (field.default !== undefined) return readField(field, field.default, ids)
  if (field.nullable) return null
  throw new InvalidValue(field.name, 'a value, as the field is required')
}
