/** Carries out a schema plan, in one transaction: either everything is added, or nothing. */
import type { Kysely } from 'kysely'
import { BootError, type Problem } from 'svc-kernel'
import { columnName } from 'svc-stores/table'
import { duplicateRows } from '../engines/duplicate-rows.ts'
import { addColumn, addIndex, createTable } from '../engines/schema-statements.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { planSchema, type SchemaPlan, type SchemaStep } from '../schema/plan-schema.ts'
import { columnsOfIndex, type TableDefinition } from '../schema/table-definition.ts'

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
    await refuseDuplicates(transaction, engine, plan)
    for (const step of plan.steps) await carryOut(transaction, step, engine)
    return plan
  })
}

/** Of tables and columns that are there: a new one holds nothing that could be shared. @throws BootError */
async function refuseDuplicates(db: Kysely<unknown>, engine: SqlEngine, { steps }: SchemaPlan): Promise<void> {
  const added = new Set(
    steps.flatMap((step) => {
      if (step.kind === 'index') return []
      return step.kind === 'table' ? [step.table.name] : [`${step.table} ${step.column.name}`]
    })
  )
  const problems: Problem[] = []
  for (const step of steps) {
    if (step.kind !== 'index' || added.has(step.table.name)) continue
    const { table, index } = step
    if (columnsOfIndex(index).some((column) => added.has(`${table.name} ${column}`))) continue
    const hasId = table.columns.some(({ name, type }) => name === 'id' && type === 'text')
    const got = await duplicateRows(db, engine, table.name, index, hasId)
    if (got === null) continue
    const columns = index.columns.map(columnName).join(', ')
    problems.push({
      code: 'SVC_SQLORM_DUPLICATES',
      message: `the unique index on ${columns} cannot be created: rows of ${table.name} hold the same values`,
      at: table.name,
      got,
      expected: `no two rows with the same ${columns}`,
      fix: `change or remove those rows, or take unique off ${columns}`,
      more: 'npx svc docs svc-sqlorm'
    })
  }
  if (problems.length > 0) throw new BootError(problems)
}

async function carryOut(db: Kysely<unknown>, step: SchemaStep, engine: SqlEngine): Promise<void> {
  switch (step.kind) {
    case 'table':
      await createTable(step.table, engine).execute(db)
      return
    case 'column':
      await addColumn(step.table, step.column, engine).execute(db)
      return
    case 'index':
      await addIndex(db, step.table.name, step.name, step.index, isNullable(step.table), engine)
  }
}

function isNullable({ columns }: TableDefinition): (column: string) => boolean {
  return (column) => columns.find(({ name }) => name === column)?.nullable === true
}
