/** Statements of a gateway outside of any transaction. */
import { rerun } from '../connection/rerun.ts'
import type { SqlDatabase } from '../connection/sql-database.ts'
import type { StatementRunner, StoredRecord } from '../gateway/statement-runner.ts'
import { SqlTransaction } from './sql-transaction.ts'

export function connectionRunner(database: SqlDatabase): StatementRunner {
  const execute: StatementRunner['read'] = (query) => database.run((db) => db.executeQuery<StoredRecord>(query))
  return {
    hasSnapshot: false,
    read: execute,
    // Where statements run side by side, two that take the same rows in another order may shut each other out.
    write: database.engine.hasIsolation ? (query) => rerun(() => execute(query)) : execute,
    together: (work) => SqlTransaction.run(database, work, { isolation: 'read committed' })
  }
}
