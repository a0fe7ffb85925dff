/** What a connection is made of. */
import type { FastifyBaseLogger } from 'fastify'
import type { CompiledQuery, Dialect, QueryResult } from 'kysely'
import type { Clock, Problem } from 'svc-kernel'
import type { DriftPolicy } from 'svc-orm/driver'
import type { SqlEngine, StoredRecord } from '../engines/sql-engine.ts'

export interface LiveConnectionParts {
  readonly name: string
  /** Without credentials. */
  readonly target: string
  readonly engine: SqlEngine
  readonly dialect: Dialect
  /** Runs a compiled statement outside of transactions. Absent: Kysely does. */
  readonly execute?: (query: CompiledQuery) => Promise<QueryResult<StoredRecord>>
  readonly clock: Clock
  /** How long a transaction may stay open, in milliseconds. */
  readonly transactionTimeoutMs: number
  readonly log: FastifyBaseLogger
  /** Of the application: gets what differs. */
  readonly bootWarnings: Problem[]
  /** What becomes of a database that differs from what is declared. */
  readonly drift: DriftPolicy
  /** One to migrate with: without limits of time. Absent: the connection itself has none. */
  readonly migrating?: () => Dialect
  /** Tables of scoped entities have their own policy. */
  readonly rowSecurity: boolean
  /** Every statement is logged at debug level, without its parameters. */
  readonly debug: boolean
}
