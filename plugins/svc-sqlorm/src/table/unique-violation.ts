/** What a unique index refused, in the words of the plan. Pure. */
import { UniqueViolation } from 'svc-stores'
import { type IndexColumn, recordOf, type TablePlan } from 'svc-stores/table'
import type { FailedConstraint } from '../engines/failure.ts'
import { indexName } from '../schema/table-definition.ts'

export function uniqueViolation(plan: TablePlan, constraint: FailedConstraint | null): UniqueViolation {
  return new UniqueViolation(recordOf(plan), constraint === null ? [] : columnsOf(plan, constraint))
}

/** An index that the plan does not have may be over expressions, or over other columns: these are left out. */
function columnsOf({ name, columns, indexes = [], itemIndexes = [] }: TablePlan, failed: FailedConstraint): string[] {
  const items = itemIndexes.find(({ table }) => table === failed.table)
  if (items !== undefined) return [items.column]
  const own = indexes.find((index) => index.unique === true && indexName(name, index) === failed.name)
  if (own !== undefined) return own.columns.map(nameOf)
  return failed.columns.filter((column) => columns.some((each) => each.name === column))
}

function nameOf(column: IndexColumn): string {
  return typeof column === 'string' ? column : column[0]
}
