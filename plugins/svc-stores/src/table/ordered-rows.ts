/**
 * Rows that meet conditions, in an order, with what they carry of it: the reading that every engine is compared with. Pure.
 */
import { copyRow } from '../records/record-values.ts'
import type { Condition } from './condition.ts'
import { firstOfEach } from './first-of-each.ts'
import { type RowsOf, rowMatcher, rowOrder } from './row-matcher.ts'
import { isCarried, type SortKey } from './sort-key.ts'
import { isPlaced, withSortValues } from './sort-values.ts'
import type { Selection } from './table.ts'

/**
 * @param matching the rows that meet conditions, in a list of its own
 * @param atMost how many are wanted; there may be more
 */
export function orderedRows<Row extends object>(
  matching: (conditions: readonly Condition[]) => Row[],
  conditions: readonly Condition[],
  order: readonly SortKey[],
  rowsOf: RowsOf,
  atMost = Number.POSITIVE_INFINITY
): Row[] {
  if (order.every(({ by }) => by === undefined)) {
    const rows = matching(conditions)
    if (rows.length < 2) return rows
    const compared = rowOrder(order)
    // A queue asks for its next one, of however many.
    return atMost === 1 ? [rows.reduce((first, row) => (compared(row, first) < 0 ? row : first))] : rows.sort(compared)
  }
  // A place in the order is compared with what rows are sorted by.
  const places = conditions.filter(({ operator }) => operator === 'after')
  const rows = matching(conditions.filter(({ operator }) => operator !== 'after')).map(withSortValues(order, rowsOf))
  const uncarried = order.filter((key) => key.by !== undefined && !isCarried(key)).map(({ field }) => field)
  const sorted = rows.filter(isPlaced(order)).filter(rowMatcher(places)).sort(rowOrder(order))
  return sorted.map((row) => copyRow(row, uncarried as never[]))
}

/** What a selection takes of them, as copies that a caller may change. Locks are the engine's own. */
export function selectedRows<Row extends object>(
  matching: (conditions: readonly Condition[]) => Row[],
  conditions: readonly Condition[],
  { order = [], limit, offset = 0, each, without }: Selection<Row>,
  rowsOf: RowsOf
): Row[] {
  const sorted = orderedRows(matching, conditions, order, rowsOf)
  const end = limit === undefined ? undefined : offset + limit
  const found = each === undefined ? sorted.slice(offset, end) : firstOfEach(sorted, each)
  return found.map((row) => copyRow(row, without))
}
