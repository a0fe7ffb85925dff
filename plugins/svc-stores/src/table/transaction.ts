/** An open transaction, handed to `within` of every table, and `withTransaction` of every repository, that takes part. */

/**
 * What a transaction sees of others, at least: a database that knows no such level takes a stronger one.
 *
 * - `repeatable read`, the default: everything as it was at the first read; of two that change the same row, or insert
 *   the same unique value, one runs again
 * - `serializable`: as if they had run one after the other, also where each only read what the other changed
 * - `read committed`: each read sees what was committed before it; changes may be lost between a read and the write that
 *   follows from it
 */
export type Isolation = 'read committed' | 'repeatable read' | 'serializable'

export interface TransactionOptions {
  readonly isolation?: Isolation
}

export const ISOLATIONS: readonly Isolation[] = ['read committed', 'repeatable read', 'serializable']

export interface Transaction {
  /** The database it belongs to; no other accepts it. */
  readonly connector: string
  /**
   * Undoes what `work` did when it rejects, and leaves the rest of the transaction as it is. A database without
   * savepoints runs `work` as part of the transaction: see `Database.savepoints`.
   */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}
