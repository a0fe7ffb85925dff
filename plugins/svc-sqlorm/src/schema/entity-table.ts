/**
 * The table of an entity. An index ends with `id`, as every order does: a page
 * is then read from the index alone. Relations add no constraint, see
 * `RelationDefinition`.
 */
import type { CompiledEntity, CompiledIndex } from 'svc-orm'
import type { EntityColumn } from '../gateway/entity-columns.ts'
import type { ColumnDefinition, TableDefinition, TableIndex } from './table-definition.ts'

export function entityTable(entity: CompiledEntity, columns: readonly EntityColumn[]): TableDefinition {
  return {
    name: entity.table,
    columns: columns.map((column) => columnDefinition(entity, column)),
    indexes: entity.indexes.map(tableIndex)
  }
}

function columnDefinition(entity: CompiledEntity, { name, type, nullable }: EntityColumn): ColumnDefinition {
  const preset = entity.fields.get(name)?.default
  const known = preset === undefined || preset === null ? {} : { default: preset }
  return { name, type, nullable, ...known }
}

function tableIndex({ fields, unique }: CompiledIndex): TableIndex {
  if (unique) return { columns: fields, unique }
  return { columns: fields.includes('id') ? fields : [...fields, 'id'] }
}
