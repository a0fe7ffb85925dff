/**
 * The one storage port: what a driver writes for a table, and nothing else. Every call is one atomic step on every
 * engine. Rows that come out are new objects, the caller's to change; rows that go in are checked by their owner. What
 * fails rejects, also where an answer would have come at once.
 *
 * @throws UniqueViolation (409), ConnectionUnavailable and the like (503), TransactionConflict (409)
 */
import type { MaybePromise } from 'svc-kernel'
import type { Change } from './change.ts'
import type { Group, Grouping } from './grouping.ts'
import type { SortKey, TablePlan } from './table-plan.ts'
import type { Transaction } from './transaction.ts'
import type { Where } from './where.ts'

export type Order = readonly SortKey[]

/**
 * How rows are locked until the transaction ends.
 *
 * - `update`: nobody else locks or changes them meanwhile, or one of the two transactions runs again
 * - `share`: nobody else changes them meanwhile; others may share them, where the database has such a lock, and else
 *   they are locked as for `update`
 * - `skipLocked`: as `update`, of the rows that no other transaction has locked; a database that cannot pass them over
 *   runs the work of the loser again, so that of transactions at once each row goes to one on every engine
 */
export type RowLock = 'update' | 'share' | 'skipLocked'

export const ROW_LOCKS: readonly RowLock[] = ['update', 'share', 'skipLocked']

export interface Selection<Row> {
  /** Default: by key, ascending. Ends with the key, so that pages are exact. */
  readonly order?: Order
  /** Default: all. At least 1. */
  readonly limit?: number
  /** Default 0. */
  readonly offset?: number
  /** Columns that are never read: secrets, in listings. */
  readonly without?: readonly (keyof Row & string)[]
  /** Inside a transaction only. Default: none. */
  readonly lock?: RowLock
}

export interface PutOptions<Row> {
  /** On the row that stands. It is left as it is where the guard does not hold. */
  readonly guard?: Where<Row>
  /** Columns that keep what stands. */
  readonly keep?: readonly (keyof Row & string)[]
  /** Columns that take the greater of both. */
  readonly max?: readonly (keyof Row & string)[]
}

export interface Table<Row extends object> {
  readonly plan: TablePlan
  /** Complete rows; all or none. @throws UniqueViolation */
  insert(rows: readonly Row[]): Promise<void>
  /** Rows whose key is there already are left alone. @returns how many are new */
  insertNew(rows: readonly Row[]): Promise<number>
  /** Inserts unless a row holds the same values in these columns (those of a unique index, or the key). @returns the row that stands */
  insertIfAbsent(row: Row, columns: readonly (keyof Row & string)[]): Promise<Row>
  /** Inserts, or replaces the row with this key. @returns the row that stands, or `null` where the guard refused */
  put(row: Row, options?: PutOptions<Row>): Promise<Row | null>
  find(where: Where<Row>, selection?: Selection<Row>): Promise<Row[]>
  /** The first by key. The fastest way to a row by its key or a unique column: an engine that has it at hand answers at once. */
  findOne(where: Where<Row>): MaybePromise<Row | null>
  /**
   * One statement that finds a row as `findOne` does, with one of each other table: see `joinedLookup`, which stores use.
   * Absent, or `null` for tables that it cannot join: they are asked one after the other.
   */
  joining?(joins: readonly Join<Row, object>[]): JoinedLookup<Row, readonly object[]> | null
  count(where: Where<Row>): Promise<number>
  exists(where: Where<Row>): Promise<boolean>
  /** The rows in all, and those of which each of `parts` holds, at one moment where the engine can. */
  counts<Name extends string>(
    where: Where<Row>,
    parts: Readonly<Record<Name, Where<Row>>>
  ): Promise<Readonly<Record<Name | 'total', number>>>
  /** The rows in groups, and what is said of each. Sums of integers beyond 2^53 are not exact. */
  group(where: Where<Row>, grouping: Grouping): Promise<Group[]>
  /** @returns how many rows matched @throws UniqueViolation */
  update(where: Where<Row>, change: Change<Row>): Promise<number>
  /** Of several matches the first by key. @returns the row afterwards */
  updateOne(where: Where<Row>, change: Change<Row>): Promise<Row | null>
  /** @param atMost default: all @returns how many rows it removed */
  delete(where: Where<Row>, atMost?: number): Promise<number>
  /** Of several matches the first by key. @returns the row as it was */
  deleteOne(where: Where<Row>): Promise<Row | null>
  /**
   * Changes the first rows in this order that nobody else is claiming, and answers them as they are then: of callers at
   * once, each row goes to one.
   */
  claim(where: Where<Row>, change: Change<Row>, limit: number, order?: Order): Promise<Row[]>
  /** The same table inside a transaction of its database. @throws ForeignTransaction, TransactionOver */
  within(tx: Transaction): Table<Row>
}

/** Where rows of a table are found by one value: its key, or a column that is unique by itself. */
export interface Lookup<Row extends object> {
  readonly table: Table<Row>
  readonly column: keyof Row & string
}

/** A row of another table that belongs to one: found by what `on` holds. Null finds none. */
export interface Join<Row extends object, Other extends object> extends Lookup<Other> {
  readonly on: keyof Row & string
}

export type Joins<Row extends object, Others extends readonly object[]> = {
  readonly [Index in keyof Others]: Join<Row, Others[Index]>
}

/** The first row by key, and those that belong to it, in the order of the joins. */
export type JoinedRow<Row extends object, Others extends readonly object[]> = readonly [
  row: Row,
  ...others: { readonly [Index in keyof Others]: Others[Index] | null }
]

/** @returns `null` where there is no such row @throws as `findOne` */
export type JoinedLookup<Row extends object, Others extends readonly object[]> = (
  where: Where<Row>
) => MaybePromise<JoinedRow<Row, Others> | null>
