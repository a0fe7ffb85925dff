/**
 * Rows in groups, and what is said of each: their number, and of a column the sum, the average, the least and the greatest
 * of what is held. Null is passed over; of nothing held, all but the number is null. Pure.
 */

import { compareHeld, valuesText } from './compare-held.ts'
import type { ConditionValue } from './condition.ts'
import { rowOrder } from './row-matcher.ts'
import type { SortKey } from './sort-key.ts'

/** Sums and averages are of numbers, least and greatest of what has an order. */
export type Measure = { readonly of: 'count' } | { readonly of: 'sum' | 'avg' | 'min' | 'max'; readonly column: string }

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

function measureOf(rows: readonly AnyRow[], measure: Measure): ConditionValue | null {
  if (measure.of === 'count') return rows.length
  const held = rows.map((row) => row[measure.column] ?? null).filter((value) => value !== null) as ConditionValue[]
  const [first, ...rest] = held
  if (first === undefined) return null
  switch (measure.of) {
    case 'sum':
      return sumOf(held)
    case 'avg':
      return Number(sumOf(held)) / held.length
    case 'min':
      return rest.reduce((least, value) => (compareHeld(value, least) < 0 ? value : least), first)
    case 'max':
      return rest.reduce((most, value) => (compareHeld(value, most) > 0 ? value : most), first)
  }
}

/** Of `bigint` exact. */
function sumOf(values: readonly ConditionValue[]): number | bigint {
  if (typeof values[0] === 'bigint') return values.reduce<bigint>((sum, value) => sum + (value as bigint), 0n)
  return values.reduce<number>((sum, value) => sum + Number(value), 0)
}
