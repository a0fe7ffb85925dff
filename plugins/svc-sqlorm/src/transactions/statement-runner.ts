/** Where the statements of a gateway go: the connection, or an open transaction of it. */
import type { CompiledQuery, QueryResult } from 'kysely'
import type { StoredRecord } from '../engines/sql-engine.ts'

export interface StatementRunner {
  /** Reads see what stood when the transaction began, while others go on. */
  readonly hasSnapshot: boolean
  read(query: CompiledQuery): Promise<QueryResult<StoredRecord>>
  /** One that a unique index may refuse. */
  write(query: CompiledQuery): Promise<QueryResult<StoredRecord>>
  /** Several writes that count as one: in a transaction, one that fails dooms it. */
  together<T>(work: (runner: StatementRunner) => Promise<T>): Promise<T>
}
