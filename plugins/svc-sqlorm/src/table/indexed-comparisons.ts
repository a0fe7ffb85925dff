/**
 * Comparisons that an index says of its rows, with the same value. Where a query says one of them its value is written out, as
 * a planner must see that the index holds all that is asked for; a parameter may be any value. Such values are of the plan,
 * never of a caller.
 */
import { type Condition, indexConditions, indexValue, type TablePlan } from 'svc-stores/table'
import { comparisonClause } from '../engines/schema-statements.ts'
import type { SqlEngine } from '../engines/sql-engine.ts'
import { tableIndex } from './table-columns.ts'

export class IndexedComparisons {
  /** What follows the column, by the comparison. Most plans have none. */
  readonly #said: ReadonlyMap<string, string>

  constructor({ indexes = [] }: TablePlan, engine: SqlEngine) {
    const own = indexes.filter(({ on }) => on !== 'documents')
    this.#said = new Map(
      own.flatMap((index) => {
        const { where = [] } = tableIndex(index)
        return indexConditions(index).flatMap(({ field, operator, value }, place) => {
          const clause = where[place]
          if (clause === undefined || clause.operator === 'null') return []
          return [[keyOf(field, operator, value), comparisonClause(clause, engine)] as const]
        })
      })
    )
  }

  /** `null`: its value is a parameter. */
  of(condition: Condition): string | null {
    if (this.#said.size === 0 || !('value' in condition) || condition.operator === 'null') return null
    return this.#said.get(keyOf(condition.field, condition.operator, indexValue(condition.value))) ?? null
  }
}

function keyOf(field: string, operator: string, value: string | number | boolean): string {
  return `${field} ${operator} ${JSON.stringify(value)}`
}
