/** Applies changes to a row as a database would: bounds and sums against what is held. Pure. */
import type { ParsedChanges } from '../criteria/changes.ts'
import type { StoredRow } from '../driver/entity-gateway.ts'
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import { InvalidValue } from '../errors.ts'
import { readScalar } from '../values/read-scalar.ts'

type Fields = CompiledEntity['fields']

/** @returns a new row; the given one stays as it is @throws InvalidValue for a sum that its field cannot hold */
export function changeRow(row: StoredRow, { set, max, min, add }: ParsedChanges, fields: Fields): StoredRow {
  const changed: { id: string; [field: string]: unknown } = { ...row }
  for (const [name, value] of set) changed[name] = value
  for (const [name, value] of max) if (isNull(row[name]) || Number(row[name]) < Number(value)) changed[name] = value
  for (const [name, value] of min) if (isNull(row[name]) || Number(row[name]) > Number(value)) changed[name] = value
  for (const [name, delta] of add) changed[name] = sum(name, Number(row[name] ?? 0) + delta, fields)
  return changed
}

function sum(name: string, value: number, fields: Fields): number {
  const type = fields.get(name)?.type === 'integer' ? 'integer' : 'float'
  if (readScalar(type, value) === undefined) throw new InvalidValue(name, 'a sum that the field can hold')
  return value
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined
}
