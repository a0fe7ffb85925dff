/** Whether conditions name one row at most, by its key or a unique index: such a question needs no order and no bound. */
import { type Condition, type IndexCondition, saysAll, type TablePlan, uniqueColumns } from 'svc-stores/table'

interface Unique {
  readonly columns: readonly string[]
  /** What the rows meet among which it is unique: a query that names both finds no other. */
  readonly of: readonly IndexCondition[]
}

export class SingleRow {
  readonly #byColumn: ReadonlyMap<string, readonly IndexCondition[]>
  /** Of several columns. */
  readonly #composite: readonly Unique[]

  constructor(plan: TablePlan) {
    const all = uniqueColumns(plan)
    // Of several on one column, the one that asks for least.
    const byNeed = all.filter(({ columns }) => columns.length === 1).toSorted((a, b) => b.of.length - a.of.length)
    this.#byColumn = new Map(byNeed.map(({ columns, of }) => [columns[0] as string, of]))
    this.#composite = all.filter(({ columns }) => columns.length > 1)
  }

  isNamedBy(conditions: readonly Condition[]): boolean {
    const isOne = conditions.some((condition) => {
      const of = condition.operator === 'eq' ? this.#byColumn.get(condition.field) : undefined
      return of !== undefined && saysAll(conditions, of)
    })
    return isOne || this.#composite.some((unique) => isGiven(unique, conditions))
  }
}

function isGiven({ columns, of }: Unique, conditions: readonly Condition[]): boolean {
  if (conditions.length < columns.length) return false
  const isEqual = (column: string) => conditions.some((each) => each.operator === 'eq' && each.field === column)
  return columns.every(isEqual) && saysAll(conditions, of)
}
