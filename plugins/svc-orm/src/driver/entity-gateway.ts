/**
 * What a driver writes for one entity: storage, and nothing else. Parsing, ids,
 * defaults, timestamps, relations and statistics are `PortableRepository`'s,
 * the same above every gateway. Rows it answers are new objects, the caller's to change.
 */

import type { Transaction } from 'svc-stores/table'
import type { ParsedChanges } from '../criteria/changes.ts'
import type { Condition } from '../criteria/condition.ts'
import type { SortKey } from '../criteria/find-options.ts'

/** `id` and every declared field; null where it holds nothing; `Date`, lists and JSON as JavaScript has them. */
export interface StoredRow {
  readonly id: string
  readonly [field: string]: unknown
}

export interface Selection {
  readonly conditions: readonly Condition[]
  /** Ends with `id`. */
  readonly order: readonly SortKey[]
  /** `null`: all. Never 0. */
  readonly limit: number | null
  readonly offset: number
  /** Inside a transaction alone: nobody else changes or locks the rows until it ends, or this transaction runs again. */
  readonly lock?: boolean
}

export interface EntityGateway {
  select(selection: Selection): Promise<StoredRow[]>
  /** Complete rows with their ids. @throws UniqueViolation */
  insert(rows: readonly StoredRow[]): Promise<void>
  /**
   * Inserts unless a row holds the same values in the `key` fields (those of one unique index, or `id`), in one atomic
   * step. The row that stands. @throws UniqueViolation for another unique index
   */
  insertIfAbsent(row: StoredRow, key: readonly string[]): Promise<StoredRow>
  /** Of several matches the first by id; the row afterwards. @throws UniqueViolation */
  updateOne(conditions: readonly Condition[], changes: ParsedChanges): Promise<StoredRow | null>
  /** How many matched. @throws UniqueViolation */
  updateMany(conditions: readonly Condition[], changes: ParsedChanges): Promise<number>
  /** Of several matches the first by id; the row as it was. */
  deleteOne(conditions: readonly Condition[]): Promise<StoredRow | null>
  deleteMany(conditions: readonly Condition[]): Promise<number>
  count(conditions: readonly Condition[]): Promise<number>
  exists(conditions: readonly Condition[]): Promise<boolean>
  /** The same storage inside a transaction of this connector. @throws ForeignTransaction, TransactionOver */
  within(tx: Transaction): EntityGateway
}
