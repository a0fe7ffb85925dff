/** Carries out a schema plan, in one transaction: either everything is added, or nothing. */
import { type Kysely, sql } from 'kysely'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { planSchema, type SchemaPlan, type SchemaStep } from '../schema/plan-schema.ts'
import type { ColumnDefinition, TableDefinition, TableIndex } from '../schema/table-definition.ts'

/**
 * @param check is shown the plan before anything of it is done, and may throw
 * @returns what was done, and what cannot be
 */
export async function applySchema(
  db: Kysely<unknown>,
  engine: SqlEngine,
  definitions: readonly TableDefinition[],
  check: (plan: SchemaPlan) => void
): Promise<SchemaPlan> {
  // Looked at without a transaction first: a database that is complete is never written to.
  const seen = planSchema(await engine.existingSchema(db), definitions)
  check(seen)
  if (seen.steps.length === 0) return seen
  return db.transaction().execute(async (transaction) => {
    await engine.lockSchema(transaction)
    const plan = planSchema(await engine.existingSchema(transaction), definitions)
    for (const step of plan.steps) await statement(step, engine).execute(transaction)
    return plan
  })
}

function statement(step: SchemaStep, engine: SqlEngine) {
  switch (step.kind) {
    case 'table':
      return createTable(step.table, engine)
    case 'column':
      return sql`alter table ${sql.table(step.table)} add column ${columnClause(step.column, engine)}`
    case 'index':
      return createIndex(step.table, step.name, step.index, engine)
  }
}

function createTable({ name, columns, primaryKey = ['id'] }: TableDefinition, engine: SqlEngine) {
  const clauses = columns.map((column) => columnClause(column, engine))
  const key = sql.join(primaryKey.map((column) => sql.ref(column)))
  const primary = sql`${engine.keyName ?? sql``}primary key (${key})`
  return sql`create table ${sql.table(name)} (${sql.join(clauses)}, ${primary}) ${engine.tableEnd ?? sql``}`
}

function columnClause(column: ColumnDefinition, engine: SqlEngine) {
  const required = column.nullable === true ? sql`` : sql` not null`
  const preset = column.default === undefined ? sql`` : sql` default ${engine.columnDefault(column)}`
  return sql`${sql.ref(column.name)} ${engine.columnType(column.type)}${required}${preset}${engine.columnCheck(column)}`
}

/** Where nothing can be null, the order is said as everybody says it, so that the index serves other SQL too. */
function createIndex(table: TableDefinition, name: string, index: TableIndex, engine: SqlEngine) {
  const { columns, unique = false, held } = index
  const nullable = new Set(table.columns.filter((column) => column.nullable === true).map((column) => column.name))
  const keys = columns.map((column) => {
    const [field, direction] = typeof column === 'string' ? [column, 'asc' as const] : column
    return sql`${sql.ref(field)} ${nullable.has(field) ? engine.nullsLowest[direction] : sql.raw(direction)}`
  })
  const kind = unique ? sql`unique index` : sql`index`
  const rows = held === undefined ? sql`` : sql` where ${sql.ref(held)} is not null`
  return sql`create ${kind} ${sql.ref(name)} on ${sql.table(table.name)} (${sql.join(keys)})${rows}`
}
