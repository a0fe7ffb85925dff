/** An entity as a table of the storage port: its columns, `id` first, and its indexes. Pure. */
import type { ColumnPlan, ColumnType, IndexPlan, TablePlan } from 'svc-stores/table'
import { snakeCase } from './compile-fields.ts'
import type { CompiledEntity, CompiledField, CompiledIndex } from './compiled-entity.ts'
import type { FieldType } from './entity-definition.ts'
import { unitsOf } from './exact-number.ts'

const COLUMN_TYPES: Readonly<Record<FieldType, ColumnType>> = {
  string: 'text',
  text: 'text',
  id: 'id',
  integer: 'integer',
  float: 'float',
  bigint: 'bigint',
  decimal: 'bigint',
  boolean: 'boolean',
  date: 'date',
  day: 'text',
  uuid: 'text',
  enum: 'text',
  json: 'json',
  bytes: 'bytes'
}

const plans = new WeakMap<CompiledEntity, TablePlan>()

/** The plan of an entity, made once: in SQL a table with the name in snake_case, among documents a collection with the entity's. */
export function entityPlan(entity: CompiledEntity): TablePlan {
  const known = plans.get(entity)
  if (known !== undefined) return known
  const made = planOf(entity)
  plans.set(entity, made)
  return made
}

function planOf({ name, table, fields, indexes, place, was }: CompiledEntity): TablePlan {
  return {
    name: table,
    collection: name,
    ...(was !== undefined && { was: { name: snakeCase(was), collection: was } }),
    record: name,
    columns: [{ name: 'id', type: 'id' }, ...[...fields.values()].map(columnPlan)],
    indexes: indexes.flatMap(indexPlans),
    place
  }
}

function columnPlan({ name, type, array, nullable, default: preset, was, scale = 0 }: CompiledField): ColumnPlan {
  return {
    name,
    type: COLUMN_TYPES[type],
    ...(array && { list: true }),
    ...(nullable && { nullable }),
    ...(scale > 0 && { scale }),
    ...(preset !== undefined &&
      preset !== null && {
        default: type === 'decimal' || type === 'bigint' ? String(unitsOf(preset, scale)) : preset
      }),
    ...(was !== undefined && { was })
  }
}

/** In SQL an index ends with `id`, as every order does: a page is then read from the index only. */
function indexPlans({ fields, unique }: CompiledIndex): IndexPlan[] {
  if (unique) return [{ columns: fields, unique }]
  if (fields.includes('id')) return [{ columns: fields }]
  return [
    { columns: [...fields, 'id'], on: 'sql' },
    { columns: fields, on: 'documents' }
  ]
}
