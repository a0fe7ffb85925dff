/** Columns and indexes of a migration as a SQL database has them. Pure. */
import type { MigratedIndex } from 'svc-orm/driver'
import { type ColumnPlan, renamedIndex } from 'svc-stores/table'
import { type ColumnDefinition, indexName, type TableIndex } from '../schema/table-definition.ts'
import { tableDefinition, tableIndex } from '../table/table-columns.ts'

export function definition(column: ColumnPlan): ColumnDefinition {
  return tableDefinition({ name: '', columns: [column] }).columns[0] as ColumnDefinition
}

export function indexOf(table: string, given: MigratedIndex): [TableIndex, string] {
  const index = tableIndex(given)
  return [index, indexName(table, index)]
}

/** The name that an index has where its table and its columns are under the names before. */
export function formerIndexName(table: string, index: MigratedIndex, columns: readonly ColumnPlan[]): string {
  const was = new Map(columns.map((column) => [column.name, column.was ?? column.name]))
  return indexOf(
    table,
    renamedIndex(index, (name) => was.get(name) ?? name)
  )[1]
}
