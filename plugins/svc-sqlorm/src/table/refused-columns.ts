/** What the database refused, in the names of a plan: the record, and the columns that a violation is about. Pure. */
import { NotNullViolation, UniqueViolation } from 'svc-stores'
import { columnName, keyOf, recordOf, type TablePlan } from 'svc-stores/table'
import { type FailedConstraint, UniqueConflict } from '../engines/failure.ts'
import { indexName } from '../schema/table-definition.ts'
import { tableIndex } from './table-columns.ts'

/** A refusal of the database as callers get it: with the names of the plan. Other errors stay as they are. */
export function namedRefusal(plan: TablePlan, error: unknown): unknown {
  if (error instanceof NotNullViolation) return new NotNullViolation(recordOf(plan), error.field)
  if (!(error instanceof UniqueConflict)) return error
  return new UniqueViolation(recordOf(plan), refusedColumns(plan, error.constraint))
}

/** The columns of the unique index that refused a row. One that the plan does not have may be over expressions, or over other columns: these are left out. */
export function refusedColumns(plan: TablePlan, failed: FailedConstraint | null): string[] {
  const { name, columns, indexes = [], itemIndexes = [] } = plan
  if (failed === null) return []
  const items = itemIndexes.find(({ table }) => table === failed.table)
  if (items !== undefined) return [items.column]
  const own = indexes.find((index) => index.unique === true && indexName(name, tableIndex(index)) === failed.name)
  if (own !== undefined) return own.columns.map(columnName)
  // PostgreSQL says no columns of a table with policies.
  if (failed.columns.length === 0 && failed.table === name && failed.name?.endsWith('_pkey')) return [...keyOf(plan)]
  return failed.columns.filter((column) => columns.some((each) => each.name === column))
}
