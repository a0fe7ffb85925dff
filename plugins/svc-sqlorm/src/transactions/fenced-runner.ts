/** Statements outside of any transaction on tables that are fenced. */
import type { LiveConnection } from '../connection/live-connection.ts'
import { fencedStatement } from '../row-security/fenced-statement.ts'
import { rerun } from './rerun.ts'
import type { StatementRunner } from './sql-transaction.ts'

/** @param plain for statements that need no setting */
export function fencedRunner(database: LiveConnection, plain: StatementRunner): StatementRunner {
  const execute: StatementRunner['read'] = (query) => {
    const setting = database.fence.setting()
    return setting === null ? plain.read(query) : database.run((db) => fencedStatement(db, setting, query))
  }
  return {
    hasSnapshot: false,
    isFenced: true,
    read: execute,
    write: (query) => rerun(() => execute(query)),
    together: plain.together
  }
}
