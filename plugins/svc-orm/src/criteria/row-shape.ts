/** What of rows is loaded besides their own fields: the relations, and numbers of related rows. */
import type { Condition, Selection } from 'svc-stores/table'
import type { CompiledField, CompiledRelation } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'

/** A relation to load, and what of it. */
export interface Inclusion {
  readonly relation: CompiledRelation
  readonly where: readonly Condition[]
  readonly selection: Selection<AnyRow>
  /** Of each row's own, the first of `selection`; absent: all. */
  readonly limit?: number
  readonly shape: RowShape
}

/** How many related rows meet the conditions. */
export interface RelationCount {
  readonly name: string
  readonly relation: CompiledRelation
  readonly where: readonly Condition[]
}

/** A sum so far, of the rows that share these fields. */
export interface RunningTotal {
  readonly name: string
  readonly field: CompiledField
  readonly by: readonly string[]
  /** The row of the order that it begins at. */
  readonly from: 'first' | 'last'
}

export interface RowShape {
  readonly running: readonly RunningTotal[]
  readonly include: readonly Inclusion[]
  readonly counts: readonly RelationCount[]
  /** What was read to find relations or to order the rows, and was not asked for. */
  readonly unasked: readonly string[]
}

/** Nothing is loaded besides, and nothing taken away. */
export function isPlain({ include, counts, running, unasked }: RowShape): boolean {
  return include.length === 0 && counts.length === 0 && running.length === 0 && unasked.length === 0
}
