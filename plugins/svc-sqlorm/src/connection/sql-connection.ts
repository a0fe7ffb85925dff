/**
 * One database, as stores and repositories use it: Kysely on whichever engine the
 * URL names. Errors of the engine leave `run` and `transaction` translated.
 */
import type { Kysely } from 'kysely'
import type { SqlEngine } from '../engines/sql-engine.ts'
import type { TableDefinition } from '../schema/table-definition.ts'

/** @typeParam Tables what its `db` knows of the tables: for the compiler only */
export interface SqlConnection<Tables = unknown> {
  /** Name of the connector. */
  readonly name: string
  readonly engine: SqlEngine
  /** Open, with every declared table in place. */
  readonly connected: boolean
  /** Closed for good: the application shuts down. */
  readonly closed: boolean
  /** Has tables made, and nullable columns added, when the connection opens. Call it while registering. */
  declare(...tables: readonly TableDefinition[]): void
  /** The same connection, whose statements know these tables. */
  withTables<Known>(): SqlConnection<Known>
  /**
   * Statements outside of a transaction; on SQLite a `select` never waits for one.
   *
   * @throws ConnectionUnavailable (503), DatabaseBusy, StatementTimeout, DatabaseReadOnly, DatabaseDamaged; a unique violation as a
   * `UniqueConflict`, of a foreign key as a `ReferenceConflict`
   */
  run<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /**
   * A transaction: kept when `work` resolves, undone when it rejects. Every statement of `work` goes through its `db`: a
   * write past it would wait for this very transaction.
   *
   * @param onEnd called when it is undone before its work is done: after `transactionTimeoutMs`, or at the shutdown
   * @throws as `run`, and TransactionConflict (409), TransactionTimeout (503)
   */
  transaction<T>(work: (db: Kysely<Tables>) => Promise<T>, onEnd?: () => void): Promise<T>
}
