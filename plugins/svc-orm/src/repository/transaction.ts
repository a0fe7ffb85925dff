/** An open transaction, handed to `withTransaction` of every repository that takes part in it. */

export interface Transaction {
  /** The connector it belongs to; no other accepts it. */
  readonly connector: string
  /**
   * Undoes what `work` did when it rejects, and leaves the rest of the transaction as it is. A driver without
   * savepoints runs `work` as part of the transaction: see `OrmConnector.savepoints`.
   */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}
