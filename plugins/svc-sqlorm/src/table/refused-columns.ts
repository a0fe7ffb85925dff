/** Which columns of a plan a unique index is over that refused a row. Pure. */
import { columnName, type TablePlan } from 'svc-stores/table'
import type { FailedConstraint } from '../engines/failure.ts'
import { indexName } from '../schema/table-definition.ts'

/** One that the plan does not have may be over expressions, or over other columns: these are left out. */
export function refusedColumns(
  { name, columns, indexes = [], itemIndexes = [] }: TablePlan,
  failed: FailedConstraint | null
): string[] {
  if (failed === null) return []
  const items = itemIndexes.find(({ table }) => table === failed.table)
  if (items !== undefined) return [items.column]
  const own = indexes.find((index) => index.unique === true && indexName(name, index) === failed.name)
  if (own !== undefined) return own.columns.map(columnName)
  return failed.columns.filter((column) => columns.some((each) => each.name === column))
}
