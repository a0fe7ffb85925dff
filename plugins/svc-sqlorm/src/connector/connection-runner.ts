/** Statements of a gateway outside of any transaction. */
import type { SqlDatabase } from '../connection/sql-database.ts'
import type { StatementRunner, StoredRecord } from '../gateway/statement-runner.ts'
import { SqlTransaction } from './sql-transaction.ts'

export function connectionRunner(database: SqlDatabase): StatementRunner {
  const execute: StatementRunner['read'] = (query) => database.run((db) => db.executeQuery<StoredRecord>(query))
  return { read: execute, write: execute, together: (work) => SqlTransaction.run(database, work) }
}
