/**
 * A table that exists in a database, in the words of the plan that is laid over it: what a first migration begins with.
 * A driver says what it finds; nothing is guessed where the database itself tells.
 */
import type { ColumnPlan, ColumnType, IndexPlan, ReferencePlan, TablePlan } from 'svc-stores/table'

export interface StandingTable {
  readonly plan: TablePlan
  /** It has the name that the plan had before. */
  readonly former: boolean
  /**
   * Under their names there: those that the plan names, now or as `was`, and those that refuse every insert without them.
   * A column that keeps what the plan says is the plan's own, but for null.
   */
  readonly columns: readonly ColumnPlan[]
  /** Those of the plan that exist, by the names of columns there. */
  readonly indexes: readonly IndexPlan[]
  /** References of the plan that the database keeps, each as it does; by the name of its column there. Default: none. */
  readonly references?: readonly ReferencePlan[]
  /** Columns that the plan does not name: no migration touches them. */
  readonly others: readonly string[]
  /** Types that a column may have had, where the database keeps several alike, by the plan's column; the first is in `columns`. */
  readonly doubts: Readonly<Record<string, readonly ColumnType[]>>
}
