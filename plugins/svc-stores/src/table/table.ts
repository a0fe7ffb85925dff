/**
 * The storage port: everything that a driver implements for a table. Every call is one atomic step on every engine.
 * Returned rows are new objects that the caller may change; the owner checks rows before it writes them. Errors always
 * reject, also if a result would have been available at once.
 *
 * @throws UniqueViolation (409), ReferenceMissing (400), ReferencedRow (409), ConnectionUnavailable and similar (503), TransactionConflict (409)
 */
import type { MaybePromise } from 'svc-kernel'
import type { Change } from './change.ts'
import type { ConditionValue, RelatedCondition } from './condition.ts'
import type { Group, Grouping } from './grouping.ts'
import type { SortKey } from './sort-key.ts'
import type { TablePlan } from './table-plan.ts'
import type { Transaction } from './transaction.ts'
import type { Where } from './where.ts'

export type Order = readonly SortKey[]

/**
 * How rows are locked until the transaction ends.
 *
 * - `update`: no other transaction locks or changes them, or one of the two transactions runs again
 * - `share`: no other transaction changes them, but others may share them; a database without such a lock uses `update`
 * - `skipLocked`: as `update`, without rows that another transaction has locked; a database that cannot skip them runs
 *   the work of the loser again, so that each row goes to one of several parallel transactions on every engine
 */
export type RowLock = 'update' | 'share' | 'skipLocked'

export const ROW_LOCKS: readonly RowLock[] = ['update', 'share', 'skipLocked']

export interface Selection<Row> {
  /** Default: by key, ascending. The key is always the last field, so that pages are exact. */
  readonly order?: Order
  /** Default: all. At least 1. */
  readonly limit?: number
  /** Default 0. */
  readonly offset?: number
  /**
   * Of the rows that hold one of `values` in `column`, the first `limit` of each value. Without `limit`, `offset` and
   * `lock`; rows of one value come in the order, the values in any.
   */
  readonly each?: FirstOfEach
  /** Where the database has `countsInFind`: rows carry these numbers by their names, as `counts`. Without `lock` and `each`. */
  readonly counted?: readonly CountedRows[]
  /** Columns that are not read, such as secrets in listings. */
  readonly without?: readonly (keyof Row & string)[]
  /** Inside a transaction only. Default: none. */
  readonly lock?: RowLock
}

/** How many rows of another table belong to a row and meet the condition. */
export interface CountedRows {
  readonly name: string
  readonly rows: RelatedCondition
}

export interface FirstOfEach {
  /** Of texts, ids or integers. */
  readonly column: string
  readonly values: readonly ConditionValue[]
  /** At least 1. */
  readonly limit: number
}

export interface PutOptions<Row> {
  /** A condition on the existing row. If it does not hold, the row stays unchanged. */
  readonly guard?: Where<Row>
  /** Columns that keep the existing value. */
  readonly keep?: readonly (keyof Row & string)[]
  /** Columns that take the greater of both values. */
  readonly max?: readonly (keyof Row & string)[]
  /** What becomes of the existing row, in place of the new values; neither `keep` nor `max` is asked for then. */
  readonly change?: Change<Row>
  /** With `change`: the columns of a unique index, whose values name the existing row. Default: the key. */
  readonly by?: readonly (keyof Row & string)[]
}

/** Many rows that are written by their keys in one call: see `mergeRows`. */
export interface Merge<Row> {
  /** The key, or the columns of a unique index: no two rows of a call have the same values in them. */
  readonly by: readonly (keyof Row & string)[]
  /** Columns that an existing row takes from the row of the call. */
  readonly take: readonly (keyof Row & string)[]
  /** What becomes of an existing row besides. Default: nothing. */
  readonly change?: Change<Row>
  /** Columns in which an existing row has to hold what the row of the call has, else it stays unchanged. Default: none. */
  readonly held?: readonly (keyof Row & string)[]
  /** Conditions on existing rows: one that does not meet them stays unchanged. Default: none. */
  readonly guard?: Where<Row>
  /** Rows that are not there are inserted, so all are complete; else rows have only what `by`, `take` and `held` name. */
  readonly insert: boolean
}

export interface Table<Row extends object> {
  readonly plan: TablePlan
  /** Inserts complete rows; all or none. @throws UniqueViolation */
  insert(rows: readonly Row[]): Promise<void>
  /** Inserts rows whose key does not exist yet. @returns how many are new */
  insertNew(rows: readonly Row[]): Promise<number>
  /**
   * Inserts unless a row has the same values in these columns (of a unique index, or the key). @returns the row in the
   * table
   */
  insertIfAbsent(row: Row, columns: readonly (keyof Row & string)[]): Promise<Row>
  /** Inserts, or replaces or changes the row with this key. @returns the row in the table, or `null` if the guard refused */
  put(row: Row, options?: PutOptions<Row>): Promise<Row | null>
  /**
   * Writes many rows by their keys; see `mergeRows`, which stores use. Absent: it does so row by row. @returns the rows
   * afterwards, in any order, without those that stayed unchanged or are not there
   */
  merge?(rows: readonly Row[], merge: Merge<Row>): Promise<Row[]>
  find(where: Where<Row>, selection?: Selection<Row>): Promise<Row[]>
  /**
   * The first row by key. The fastest way to a row by its key or a unique column: an engine that has it in memory
   * answers at once.
   */
  findOne(where: Where<Row>): MaybePromise<Row | null>
  /**
   * The row that `where` names, which is one at most, if it holds the text in the column. Compared once it is read, as a
   * statement with one condition more costs more. Absent: `findOne` is asked, and its answer compared.
   */
  findHolding?(where: Where<Row>, column: string, text: string): Promise<Row | null>
  /**
   * One statement that finds a row as `findOne` does, with one row of each other table: see `joinedLookup`, which
   * stores use. Absent, or `null` for tables that it cannot join: they are then read one after the other.
   */
  joining?(joins: readonly Join<Row, object>[]): JoinedLookup<Row, readonly object[]> | null
  count(where: Where<Row>): Promise<number>
  exists(where: Where<Row>): Promise<boolean>
  /** The number of all rows, and of those that match each of `parts`, at one moment if the engine can. */
  counts<Name extends string>(
    where: Where<Row>,
    parts: Readonly<Record<Name, Where<Row>>>
  ): Promise<Readonly<Record<Name | 'total', number>>>
  /** Rows in groups, with measures of each group. Sums of integers beyond 2^53 are not exact. */
  group(where: Where<Row>, grouping: Grouping): Promise<Group[]>
  /** @returns how many rows matched @throws UniqueViolation */
  update(where: Where<Row>, change: Change<Row>): Promise<number>
  /** Changes the first matching row by key. @returns the row afterwards */
  updateOne(where: Where<Row>, change: Change<Row>): Promise<Row | null>
  /** @param atMost default: all @returns how many rows it removed */
  delete(where: Where<Row>, atMost?: number): Promise<number>
  /** Removes the first matching row by key. @returns the row as it was */
  deleteOne(where: Where<Row>): Promise<Row | null>
  /**
   * Changes the first rows in this order that no other caller claims, and returns them as changed: of parallel
   * callers, each row goes to one.
   */
  claim(where: Where<Row>, change: Change<Row>, limit: number, order?: Order): Promise<Row[]>
  /** The same table inside a transaction of its database. @throws ForeignTransaction, TransactionOver */
  within(tx: Transaction): Table<Row>
}

/** How to find rows by one value: the key, or a unique column. */
export interface Lookup<Row extends object> {
  readonly table: Table<Row>
  readonly column: keyof Row & string
}

/** A row of another table, found by the value of `on`. Null finds none. */
export interface Join<Row extends object, Other extends object> extends Lookup<Other> {
  readonly on: keyof Row & string
}

export type Joins<Row extends object, Others extends readonly object[]> = {
  readonly [Index in keyof Others]: Join<Row, Others[Index]>
}

/** The first row by key, and the joined rows, in the order of the joins. */
export type JoinedRow<Row extends object, Others extends readonly object[]> = readonly [
  row: Row,
  ...others: { readonly [Index in keyof Others]: Others[Index] | null }
]

/** @returns `null` without such a row @throws as `findOne` */
export type JoinedLookup<Row extends object, Others extends readonly object[]> = (
  where: Where<Row>
) => MaybePromise<JoinedRow<Row, Others> | null>
