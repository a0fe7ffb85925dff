/** Which columns a violation of a unique index is about. Pure. */
import { columnName, keyOf, type TablePlan } from 'svc-stores/table'
import type { FailedConstraint } from '../engines/failure.ts'
import { indexName } from '../schema/table-definition.ts'
import { tableIndex } from './table-columns.ts'

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
