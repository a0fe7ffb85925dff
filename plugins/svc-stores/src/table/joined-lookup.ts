/**
 * A row by a unique column, with the one row of each other table that belongs to it. In one statement where the driver
 * makes one of it; else one look-up after the other, which costs nothing more where a look-up answers at once.
 */
import type { MaybePromise } from 'svc-kernel'
import { isThenable } from 'svc-kernel/plugin'
import type { Join, JoinedLookup, JoinedRow, Joins, Table } from './table.ts'

/** Made once, where a store opens. */
export function joinedLookup<Row extends object, Others extends readonly object[]>(
  table: Table<Row>,
  joins: Joins<Row, Others>
): JoinedLookup<Row, Others> {
  const others = joins as unknown as readonly Join<Row, object>[]
  const lookup = table.joining?.(others) ?? oneByOne(table, others)
  return lookup as JoinedLookup<Row, Others>
}

function oneByOne<Row extends object>(
  table: Table<Row>,
  joins: readonly Join<Row, object>[]
): JoinedLookup<Row, readonly object[]> {
  const belonging = (row: Row | null): MaybePromise<JoinedRow<Row, readonly object[]> | null> => {
    if (row === null) return null
    const found: MaybePromise<object | null>[] = [row]
    let isLater = false
    try {
      for (const { table: other, column, on } of joins) {
        const value = row[on] ?? null
        const one = value === null ? null : other.findOne({ [column]: value })
        isLater ||= isThenable(one)
        found.push(one)
      }
    } catch (error) {
      // Those that were asked before may fail as well, and nobody else waits for them.
      found.push(Promise.reject(error))
      isLater = true
    }
    return (isLater ? Promise.all(found) : found) as unknown as MaybePromise<JoinedRow<Row, readonly object[]>>
  }
  return (where) => {
    const row = table.findOne(where)
    return isThenable(row) ? row.then(belonging) : belonging(row)
  }
}
