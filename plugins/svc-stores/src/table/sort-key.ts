/** What rows are put in order by: their own columns, and what belongs to them in other tables. */
import { keyOf, type TablePlan } from './table-plan.ts'
import type { SearchedWord } from './words.ts'

export interface SortKey {
  /** A column; with `by`, the name of what is computed, which no column has. */
  readonly field: string
  readonly direction: 'ASC' | 'DESC'
  readonly by?: SortValue
}

export type SortValue = ReachedValue | CountedValue | PathValue | RankedValue

/**
 * A column of the row that references lead to, one after the other; null where one leads to no row. Rows that are found in
 * such an order have it under the name of the key.
 */
export interface ReachedValue {
  readonly kind: 'reached'
  /** At least one. */
  readonly steps: readonly Step[]
  readonly column: string
  /** A row whose references lead to no row is left out. Default `false`. */
  readonly required?: boolean
}

/** From a row to the one of `table` that holds in `column`, which is its key, what the row holds in `field`. */
export interface Step {
  readonly field: string
  readonly table: TablePlan
  readonly column: string
  /** A row that holds something in this column is none. */
  readonly unless?: string
  /** A row that does not hold this is none. */
  readonly only?: { readonly column: string; readonly value: string | number }
}

/** How many rows of `table` hold in `column` what the row holds in `field`. */
export interface CountedValue extends Step {
  readonly kind: 'counted'
}

/**
 * A number, text or boolean within the JSON of a column, in this order; anything else is null. Engines on documents sort
 * lists and objects as they do.
 */
export interface PathValue {
  readonly kind: 'path'
  readonly column: string
  readonly path: readonly string[]
}

/**
 * How well a row fits the words that a condition of the same query searches for: a number, greater for a better one. Its scale
 * is the engine's own. Rows that are found in such an order have it under the name of the key.
 */
export interface RankedValue {
  readonly kind: 'ranked'
  /** Those of the condition, in its order, each with how much a word in it counts. */
  readonly columns: readonly WeightedColumn[]
  readonly words: readonly SearchedWord[]
}

export interface WeightedColumn {
  readonly column: string
  /** Above 0. */
  readonly weight: number
}

/** Whether rows that are found have the value of the key under its name. */
export function isCarried({ by }: SortKey): boolean {
  return by?.kind === 'reached' || by?.kind === 'ranked'
}

/** The order of the key: that of rows without another. */
export function byKey(plan: TablePlan): readonly SortKey[] {
  return keyOf(plan).map((field) => ({ field, direction: 'ASC' }))
}
