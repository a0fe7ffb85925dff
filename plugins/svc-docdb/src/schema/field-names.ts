/** Columns by the names that documents have for them. Pure. */
import { columnOf, type IndexColumn, keyOf, type TablePlan } from 'svc-stores/table'

export function columnName(column: IndexColumn): string {
  return typeof column === 'string' ? column : column[0]
}

/** The field of a column among documents: a key of one column is `_id`, unless the plan names a field. */
export function fieldOf(plan: TablePlan, name: string): string {
  const [only, ...others] = keyOf(plan)
  const { field } = columnOf(plan, name)
  return field ?? (name === only && others.length === 0 ? '_id' : name)
}
