/** What stores over a table have in common: listings by page, purges in small steps, duplicates in their own words. */
import { setImmediate } from 'node:timers/promises'
import { DuplicateRecord, UniqueViolation } from '../errors.ts'
import { type Page, type PageQuery, readPage, type SortFields } from '../paging/page.ts'
import type { Table } from './table.ts'
import type { IndexPlan } from './table-plan.ts'
import type { Where } from './where.ts'

/** Rows that a purge removes at a time: on SQLite, how long the process does nothing else. */
const PURGED_AT_ONCE = 200

/**
 * One page of a listing. Reads one row more than asked for, to know whether another page follows.
 *
 * @param without columns that are never read @throws UnknownSortField, InvalidPage
 */
export async function pageOf<Row extends object, Field extends string, Hidden extends keyof Row & string = never>(
  table: Table<Row>,
  where: Where<Row>,
  query: PageQuery<Field>,
  sort: SortFields<Field>,
  without: readonly Hidden[] = []
): Promise<Page<Omit<Row, Hidden>>> {
  const { limit, offset, order: keys } = readPage(query, sort)
  const order = keys.map(([field, direction]) => ({ field, direction }))
  const found = await table.find(where, { order, offset, limit: limit + 1, without })
  return { items: found.slice(0, limit), limit, offset, hasNext: found.length > limit }
}

/** Removes however many rows, a few at a time. @returns how many */
export async function purge<Row extends object>(table: Table<Row>, where: Where<Row>): Promise<number> {
  for (let total = 0; ; await setImmediate()) {
    const removed = await table.delete(where, PURGED_AT_ONCE)
    total += removed
    if (removed < PURGED_AT_ONCE) return total
  }
}

/** @param fields what a duplicate is about; default: the columns that collided @throws DuplicateRecord in place of UniqueViolation */
export async function asDuplicate<T>(record: string, work: Promise<T>, fields?: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw new DuplicateRecord(record, fields ?? (error.fields.join(' or ') || 'id'))
  }
}

/**
 * Indexes among documents for the orders of a listing: a server reads an index both ways, but ties ascend by the key in
 * either direction, so there are two for each column.
 */
export function sortIndexes(columns: readonly string[]): IndexPlan[] {
  return columns.flatMap((column) => [
    { columns: [column, 'id'], name: `ascending_${column}`, on: 'documents' },
    { columns: [[column, 'desc'], 'id'], name: `descending_${column}`, on: 'documents' }
  ])
}
