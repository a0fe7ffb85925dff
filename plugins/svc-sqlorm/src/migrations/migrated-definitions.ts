/** Columns and indexes of a migration as a SQL database has them. Pure. */
import type { MigratedIndex } from 'svc-orm/driver'
import { type ColumnPlan, columnName } from 'svc-stores/table'
import { type ColumnDefinition, indexName, type TableIndex } from '../schema/table-definition.ts'
import { tableDefinition } from '../table/table-columns.ts'

export function definition(column: ColumnPlan): ColumnDefinition {
  return tableDefinition({ name: '', columns: [column] }).columns[0] as ColumnDefinition
}

export function indexOf(table: string, { columns, unique, held }: MigratedIndex): [TableIndex, string] {
  const index = { columns, ...(unique === true && { unique }), ...(held !== undefined && { held }) }
  return [index, indexName(table, index)]
}

/** The name that an index has where its table and its columns are under the names before. */
export function formerIndexName(table: string, index: MigratedIndex, columns: readonly ColumnPlan[]): string {
  const was = new Map(columns.map((column) => [column.name, column.was ?? column.name]))
  const former = (name: string) => was.get(name) ?? name
  return indexOf(table, {
    ...index,
    columns: index.columns.map((column) =>
      typeof column === 'string' ? former(column) : [former(columnName(column)), column[1]]
    )
  })[1]
}
