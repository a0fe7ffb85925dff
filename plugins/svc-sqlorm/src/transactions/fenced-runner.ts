/**
 * Statements outside of any transaction on tables that are fenced: each in a transaction of its own, which is told first what
 * its caller may see. The four are sent at once, and answered in one round trip.
 */
import { CompiledQuery, type Kysely, type QueryResult } from 'kysely'
import type { LiveConnection } from '../connection/live-connection.ts'
import type { StoredRecord } from '../engines/sql-engine.ts'
import { rerun } from './rerun.ts'
import type { StatementRunner } from './sql-transaction.ts'

const BEGIN = CompiledQuery.raw('begin')
const COMMIT = CompiledQuery.raw('commit')

/** @param plain for statements that need no setting */
export function fencedRunner(database: LiveConnection, plain: StatementRunner): StatementRunner {
  const execute: StatementRunner['read'] = (query) => {
    const setting = database.fence.setting()
    return setting === null ? plain.read(query) : database.run((db) => fenced(db, setting, query))
  }
  return {
    hasSnapshot: false,
    isFenced: true,
    read: execute,
    write: (query) => rerun(() => execute(query)),
    together: plain.together
  }
}

async function fenced(
  db: Kysely<unknown>,
  setting: CompiledQuery,
  query: CompiledQuery
): Promise<QueryResult<StoredRecord>> {
  return db.getExecutor().provideConnection(async (connection) => {
    const steps = [BEGIN, setting, query, COMMIT]
    // After a failure `commit` undoes what was done. The connection is given back when all have been answered.
    const outcomes = await Promise.allSettled(steps.map((step) => connection.executeQuery<StoredRecord>(step)))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    return (outcomes[2] as PromiseFulfilledResult<QueryResult<StoredRecord>>).value
  })
}
