/**
 * Rows in groups, and what is said of each: their number, and of a column the number of its values, the sum, the average,
 * the least and the greatest of what is held. Null is passed over; of nothing held, all but numbers is null. Pure.
 */

import { compareHeld, valuesText } from './compare-held.ts'
import type { Condition, ConditionValue } from './condition.ts'
import { type RowsOf, rowMatcher, rowOrder } from './row-matcher.ts'
import type { SortKey } from './table-plan.ts'
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
  /** Columns whose values a group shares, and names of `parts`; null among them. None: all rows are one group, also where there is no row. */
  readonly by: readonly string[]
  /** By name: what a group shares of a moment. Default: none. */
  readonly parts?: Readonly<Record<string, TimePart>>
  /** By name; none of the names is one of `by`. */
  readonly measures: Readonly<Record<string, Measure>>
  /**
   * Of names in `by` and of measures, in place of columns; groups that do not meet them are left out. Sums of integers and
   * averages are floats. Default: none.
   */
  readonly having?: readonly Condition[]
  /** Of names in `by` and of measures; what is level follows in the order of `by`. */
  readonly order?: readonly SortKey[]
  /** Default: all groups. */
  readonly limit?: number
}

/** The names of `by`, and the measures, by their names. */
export type Group = Readonly<Record<string, ConditionValue | null>>

type AnyRow = Readonly<Record<string, unknown>>

/** The order of groups, whole. */
export function groupOrder({ by, order = [] }: Pick<Grouping, 'by' | 'order'>): readonly SortKey[] {
  const named = new Set(order.map(({ field }) => field))
  const rest = by.filter((field) => !named.has(field)).map((field): SortKey => ({ field, direction: 'ASC' }))
  return [...order, ...rest]
}

/** What grouping means, in plain code: the reading that every engine is compared with. @param rowsOf for conditions on other tables */
export function groupRows(rows: readonly object[], grouping: Grouping, rowsOf?: RowsOf): Group[] {
  const { by, parts = {}, measures } = grouping
  const groups = new Map<string, { readonly shared: Group; readonly members: AnyRow[] }>()
  if (by.length === 0) groups.set('[]', { shared: {}, members: [] })
  for (const row of rows as readonly AnyRow[]) {
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

function measureOf(rows: readonly AnyRow[], measure: Measure): ConditionValue | null {
  if (measure.of === 'count') return rows.length
  const held = rows.map((row) => row[measure.column] ?? null).filter((value) => value !== null) as ConditionValue[]
  if (measure.of === 'countDistinct') return new Set(held.map((value) => valuesText([value]))).size
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
