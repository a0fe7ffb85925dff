/** Carries out a schema plan, in one transaction: either everything is added, or nothing. */
import type { Kysely } from 'kysely'
import { addColumn, addReference, createIndex, createTable } from '../engines/schema-statements.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { planSchema, type SchemaPlan, type SchemaStep } from '../schema/plan-schema.ts'
import type { TableDefinition } from '../schema/table-definition.ts'

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
    for (const step of plan.steps) await statement(step, engine)?.execute(transaction)
    return plan
  })
}

function statement(step: SchemaStep, engine: SqlEngine) {
  switch (step.kind) {
    case 'table':
      return createTable(step.table, engine)
    case 'column':
      return addColumn(step.table, step.column, engine, step.reference)
    case 'reference':
      return engine.inlineReferences ? null : addReference(step.table, step.reference)
    case 'index':
      return createIndex(step.table.name, step.name, step.index, isNullable(step.table), engine)
  }
}

function isNullable({ columns }: TableDefinition): (column: string) => boolean {
  return (column) => columns.find(({ name }) => name === column)?.nullable === true
}
