/** The statements that make what a definition says, on any engine. */
import { type RawBuilder, sql } from 'kysely'
import type { ColumnDefinition, TableDefinition, TableIndex } from '../schema/table-definition.ts'
import type { SqlEngine } from './sql-engine.ts'

export function createTable({ name, columns, primaryKey = ['id'] }: TableDefinition, engine: SqlEngine) {
  const clauses = columns.map((column) => columnClause(column, engine))
  const key = sql.join(primaryKey.map((column) => sql.ref(column)))
  const primary = sql`${engine.keyName ?? sql``}primary key (${key})`
  return sql`create table ${sql.table(name)} (${sql.join(clauses)}, ${primary}) ${engine.tableEnd ?? sql``}`
}

export function addColumn(table: string, column: ColumnDefinition, engine: SqlEngine): RawBuilder<unknown> {
  return sql`alter table ${sql.table(table)} add column ${columnClause(column, engine)}`
}

export function columnClause(column: ColumnDefinition, engine: SqlEngine): RawBuilder<unknown> {
  const required = column.nullable === true ? sql`` : sql` not null`
  const preset = column.default === undefined ? sql`` : sql` default ${engine.columnDefault(column)}`
  return sql`${sql.ref(column.name)} ${engine.columnType(column.type)}${required}${preset}${engine.columnCheck(column)}`
}

/**
 * Where nothing can be null, the order is said as everybody says it, so that the index serves other SQL too.
 *
 * @param nullable columns that may be null
 */
export function createIndex(
  table: string,
  name: string,
  index: TableIndex,
  nullable: ReadonlySet<string>,
  engine: SqlEngine
) {
  const { columns, unique = false, held } = index
  const keys = columns.map((column) => {
    const [field, direction] = typeof column === 'string' ? [column, 'asc' as const] : column
    return sql`${sql.ref(field)} ${nullable.has(field) ? engine.nullsLowest[direction] : sql.raw(direction)}`
  })
  const kind = unique ? sql`unique index` : sql`index`
  const rows = held === undefined ? sql`` : sql` where ${sql.ref(held)} is not null`
  return sql`create ${kind} ${sql.ref(name)} on ${sql.table(table)} (${sql.join(keys)})${rows}`
}
