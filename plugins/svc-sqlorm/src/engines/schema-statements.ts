/**
 * The statements that make what a definition says, on any engine. They are text from the start: none has a parameter, and
 * a database of many tables takes many of them.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import {
  type ColumnDefinition,
  columnsOfIndex,
  type RowCondition,
  referenceName,
  rowsOfIndex,
  type TableDefinition,
  type TableIndex,
  type TableReference
} from '../schema/table-definition.ts'
import { presetSql } from './column-type.ts'
import type { KeyedTable } from './schema-alteration.ts'
import { identifier } from './schema-text.ts'
import type { SqlEngine } from './sql-engine.ts'

export function createTable(
  { name, columns, primaryKey = ['id'], references = [] }: TableDefinition,
  engine: SqlEngine
) {
  const clauses = columns.map((column) => {
    const reference = references.find((each) => each.column === column.name)
    const inline = reference?.within === undefined ? reference : undefined
    return `${columnClause(column, engine)}${inlineReference(name, inline, engine)}`
  })
  const tied = engine.inlineReferences ? references.filter(({ within }) => within !== undefined) : []
  const primary = `${engine.keyName}primary key (${primaryKey.map(identifier).join(', ')})`
  return statement(
    `create table ${identifier(name)} (${[...clauses, primary, ...tied.map((each) => referenceClause(name, each))].join(', ')}) ${engine.tableEnd}`
  )
}

export function addColumn(
  table: string,
  column: ColumnDefinition,
  engine: SqlEngine,
  reference?: TableReference
): RawBuilder<unknown> {
  const clause = `${columnClause(column, engine)}${inlineReference(table, reference && alone(reference), engine)}`
  return statement(`alter table ${identifier(table)} add column ${clause}`)
}

/** A column that is added takes no key of two: it has that of one until a migration. */
function alone({ within: _, ...reference }: TableReference): TableReference {
  return reference
}

/** Of an engine that takes it with its column only. */
function inlineReference(table: string, reference: TableReference | undefined, engine: SqlEngine): string {
  return reference === undefined || !engine.inlineReferences ? '' : ` ${referenceClause(table, reference)}`
}

/** A constraint of its column, at the end of it; of two columns, one of the table. */
export function referenceClause(table: string, reference: TableReference): string {
  const key = reference.within === undefined ? '' : `${foreignKey(reference)} `
  return `constraint ${identifier(referenceName(table, reference))} ${key}${referencedText(reference)}`
}

/** For a table that exists: rows are not checked yet. */
export function addReference(table: string, reference: TableReference): RawBuilder<unknown> {
  const name = identifier(referenceName(table, reference))
  const key = `${foreignKey(reference)} ${referencedText(reference)}`
  return statement(`alter table ${identifier(table)} add constraint ${name} ${key}`)
}

function foreignKey({ column, within }: TableReference): string {
  return `foreign key (${columnsText(within, column)})`
}

function columnsText(within: string | undefined, column: string): string {
  return within === undefined ? identifier(column) : `${identifier(within)}, ${identifier(column)}`
}

const ACTIONS: Readonly<Record<TableReference['onDelete'], string>> = {
  // Refused at the end of the statement, so that it may delete rows which refer to each other.
  restrict: '',
  cascade: ' on delete cascade',
  setNull: ' on delete set null'
}

function referencedText({ table, key, within, onDelete, deferrable = false }: TableReference): string {
  const later = deferrable ? ' deferrable initially deferred' : ''
  return `references ${identifier(table)} (${columnsText(within, key)})${ACTIONS[onDelete]}${later}`
}

export function columnClause(column: ColumnDefinition, engine: SqlEngine): string {
  const required = column.nullable === true ? '' : ' not null'
  const type = engine.columnTypes[column.type]
  const preset = column.default === undefined ? '' : ` default ${presetSql(type, column.default)}`
  return `${identifier(column.name)} ${type.sql}${required}${preset}${type.check?.(column.name) ?? ''}`
}

/**
 * Where nothing can be null, the order is said as everybody says it, so that the index serves other SQL too.
 *
 * @param isNullable whether a column may be null
 * @throws BootError where the database lacks what a method needs
 */
export async function addIndex(
  db: Kysely<unknown>,
  table: string,
  name: string,
  index: TableIndex,
  isNullable: (column: string) => boolean,
  engine: SqlEngine
): Promise<void> {
  const { columns, unique = false, method } = index
  const where = rowsOfIndex(index)
  const rows = sql.raw(where.length === 0 ? '' : ` where ${rowsClause(where, engine)}`)
  const made = sql`create ${sql.raw(unique ? 'unique index' : 'index')} ${sql.ref(name)} on ${sql.table(table)}`
  if (method === 'words') return engine.words.addIndex(db, { table, name, columns: columnsOfIndex({ columns }) })
  if (method !== undefined) {
    const [column] = columnsOfIndex({ columns })
    const clause = await engine.methodClause?.(db, method, sql.ref(column as string))
    await sql`${made} ${clause}${rows}`.execute(db)
    return
  }
  const keys = columns.map((column) => {
    const [field, direction] = typeof column === 'string' ? [column, 'asc' as const] : column
    return `${identifier(field)} ${isNullable(field) ? engine.nullsLowest[direction] : direction}`
  })
  await sql`${made} (${sql.raw(keys.join(', '))})${rows}`.execute(db)
}

const COMPARISONS = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Every condition, with its value written out. */
export function rowsClause(where: readonly RowCondition[], engine: SqlEngine): string {
  return where
    .map((condition) => {
      const column = identifier(condition.field)
      if (condition.operator === 'null') return `${column} is ${condition.value ? '' : 'not '}null`
      return `${column} ${comparisonClause(condition, engine)}`
    })
    .join(' and ')
}

/** What follows its column: `= 'open'`. */
export function comparisonClause(
  { operator, type, value }: Exclude<RowCondition, { readonly operator: 'null' }>,
  engine: SqlEngine
): string {
  return `${COMPARISONS[operator]} ${presetSql(engine.columnTypes[type], value)}`
}

/** A statement for each row. @param rows values in the order of the columns, after the key */
export async function updateEachRow(
  db: Kysely<unknown>,
  { table, key }: KeyedTable,
  columns: readonly { readonly name: string }[],
  rows: readonly (readonly unknown[])[]
): Promise<void> {
  const isEqual = (name: string, value: unknown) => sql`${sql.ref(name)} = ${value}`
  for (const row of rows) {
    const changes = columns.map(({ name }, place) => isEqual(name, row[key.length + place]))
    const where = key.map((name, place) => isEqual(name, row[place]))
    await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${sql.join(where, sql` and `)}`.execute(db)
  }
}

function statement(text: string): RawBuilder<unknown> {
  return sql.raw(text)
}
