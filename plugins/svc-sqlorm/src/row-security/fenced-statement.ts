/**
 * A statement outside of any transaction on fenced tables: in its own transaction, which first sets what its caller may
 * see. The four are sent at once, and answered in one round trip.
 */
import { CompiledQuery, type Kysely, type QueryResult } from 'kysely'
import type { StoredRecord } from '../engines/sql-engine.ts'

const BEGIN = CompiledQuery.raw('begin')
const COMMIT = CompiledQuery.raw('commit')

export async function fencedStatement(
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
