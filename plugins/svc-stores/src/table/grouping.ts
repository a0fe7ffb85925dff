/**
 * Rows in groups, and what is said of each: their number, and of a column the number of its values, the sum, the average,
 * the least and the greatest of what is held. Null is passed over; of nothing held, all but numbers is null. Pure.
 */

import { valuesText } from './compare-held.ts'
import type { Condition, ConditionValue } from './condition.ts'
import { measureOf } from './measured-rows.ts'
import { noOther, type RowsOf, rowMatcher, rowOrder } from './row-matcher.ts'
import type { ReachedValue, SortKey } from './sort-key.ts'
import { withSortValues } from './sort-values.ts'
import { type TimePart, timeText } from './time-part.ts'

/** Sums and averages are of numbers, least and greatest of what has an order, and distinct values of what is compared. */
export type Measure = {
  /** Of the rows of the group that meet these. Default: of all. */
  readonly where?: readonly Condition[]
} & (
  | { readonly of: 'count' }
  | { readonly of: 'countDistinct' | 'sum' | 'avg' | 'min' | 'max'; readonly column: string }
)

export interface Grouping {
  /** Columns whose values a group shares, and names of `parts` and `reached`; null among them. None: all rows are one group, also where there is no row. */
  readonly by: readonly string[]
  /** By name: what a group shares of a moment. Default: none. */
  readonly parts?: Readonly<Record<string, TimePart>>
  /** By name, which no column has: what a group shares of the row that references lead to. Default: none. */
  readonly reached?: Readonly<Record<string, ReachedValue>>
  /** By name; none of the names is one of `by`. */
  readonly measures: Readonly<Record<string, Measure>>
  /**
   * Of names in `by` and of measures, in place of columns; groups that do not meet them are left out. Sums of integers and
   * averages are floats. Default: none.
   */
  readonly having?: readonly Condition[]
  /** Of names in `by` and of measures; what is level follows in the order of `by`. */
  readonly order?: readonly SortKey[]
  /** Groups come as they are made, without `order`. Default `false`. */
  readonly unordered?: boolean
  /** Default: all groups. */
  readonly limit?: number
}

/** The names of `by`, and the measures, by their names. */
export type Group = Readonly<Record<string, ConditionValue | null>>

type AnyRow = Readonly<Record<string, unknown>>

/** The order of groups, whole. */
export function groupOrder({
  by,
  order = [],
  unordered = false
}: Pick<Grouping, 'by' | 'order' | 'unordered'>): readonly SortKey[] {
  if (unordered) return []
  const named = new Set(order.map(({ field }) => field))
  const rest = by.filter((field) => !named.has(field)).map((field): SortKey => ({ field, direction: 'ASC' }))
  return [...order, ...rest]
}

/** What grouping means, in plain code: the reading that every engine is compared with. @param rowsOf for conditions on other tables */
export function groupRows(rows: readonly object[], grouping: Grouping, rowsOf?: RowsOf): Group[] {
  const { by, parts = {}, reached, measures } = grouping
  const reaching = reached === undefined ? rows : rows.map(withSortValues(reachedNames(reached), rowsOf ?? noOther))
  const groups = new Map<string, { readonly shared: Group; readonly members: AnyRow[] }>()
  if (by.length === 0) groups.set('[]', { shared: {}, members: [] })
  for (const row of reaching as readonly AnyRow[]) {
    const values = by.map((name) => sharedValue(row, name, parts))
    const key = valuesText(values)
    const group = groups.get(key)
    if (group !== undefined) group.members.push(row)
    else
      groups.set(key, { shared: Object.fromEntries(by.map((name, at) => [name, values[at]])) as Group, members: [row] })
  }
  const readers = Object.entries(measures).map(([name, measure]) => [name, measureReader(measure, rowsOf)] as const)
  const made = [...groups.values()].map(({ shared, members }) => {
    return { ...shared, ...Object.fromEntries(readers.map(([name, read]) => [name, read(members)])) }
  })
  return chosenGroups(made, grouping)
}

/** As keys of an order. */
export function reachedNames(reached: NonNullable<Grouping['reached']>): readonly SortKey[] {
  return Object.entries(reached).map(([field, by]) => ({ field, direction: 'ASC', by }))
}

/** Those that meet what is asked of groups, in their order, as many as are asked for. */
export function chosenGroups(groups: readonly Group[], grouping: Grouping): Group[] {
  const { having = [], limit } = grouping
  const met = having.length === 0 ? [...groups] : groups.filter(rowMatcher(having))
  return met.sort(rowOrder(groupOrder(grouping))).slice(0, limit)
}

function sharedValue(row: AnyRow, name: string, parts: Readonly<Record<string, TimePart>>): ConditionValue | null {
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined
  if (part !== undefined) return timeText(row[part.column], part.unit, part.zone)
  return (row[name] ?? null) as ConditionValue | null
}

function measureReader(measure: Measure, rowsOf?: RowsOf): (rows: readonly AnyRow[]) => ConditionValue | null {
  const { where = [] } = measure
  if (where.length === 0) return (rows) => measureOf(rows, measure)
  const meets = rowMatcher(where, rowsOf)
  return (rows) => measureOf(rows.filter(meets), measure)
}
