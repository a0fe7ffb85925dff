/**
 * Rows in groups, and what is said of each: their number, and of a column the sum, the average, the least and the greatest
 * of what is held. Null is passed over; of nothing held, all but the number is null. Pure.
 */

import { valuesText } from './compare-held.ts'
import type { ConditionValue } from './condition.ts'
import type { Measure } from './measure.ts'
import { measureOf } from './measured-rows.ts'
import { rowOrder } from './row-matcher.ts'
import type { SortKey } from './sort-key.ts'

export interface Grouping {
  /** Columns whose values a group shares, null among them. None: all rows are one group, also where there is no row. */
  readonly by: readonly string[]
  /** By name; none of the names is a column of `by`. */
  readonly measures: Readonly<Record<string, Measure>>
  /** Of columns in `by` and of measures; what is level follows in the order of `by`. */
  readonly order?: readonly SortKey[]
  /** Default: all groups. */
  readonly limit?: number
}

/** The columns of `by`, and the measures, by their names. */
export type Group = Readonly<Record<string, ConditionValue | null>>

type AnyRow = Readonly<Record<string, unknown>>

/** The order of groups, whole. */
export function groupOrder({ by, order = [] }: Pick<Grouping, 'by' | 'order'>): readonly SortKey[] {
  const named = new Set(order.map(({ field }) => field))
  const rest = by.filter((field) => !named.has(field)).map((field): SortKey => ({ field, direction: 'ASC' }))
  return [...order, ...rest]
}

/** What grouping means, in plain code: the reading that every engine is compared with. */
export function groupRows(rows: readonly object[], grouping: Grouping): Group[] {
  const { by, measures, limit } = grouping
  const groups = new Map<string, AnyRow[]>(by.length === 0 ? [['[]', []]] : [])
  for (const row of rows as readonly AnyRow[]) {
    const key = valuesText(by.map((name) => row[name] ?? null))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  const made = [...groups.values()].map((group) => {
    const shared = by.map((name) => [name, group[0]?.[name] ?? null])
    const measured = Object.entries(measures).map(([name, measure]) => [name, measureOf(group, measure)])
    return Object.fromEntries([...shared, ...measured]) as Group
  })
  return made.sort(rowOrder(groupOrder(grouping))).slice(0, limit)
}
