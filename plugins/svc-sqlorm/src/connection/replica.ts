/**
 * A standby of PostgreSQL that answers reads. svc-sqlorm checks it every second; one that does not answer, is no
 * standby, or lags too far behind, gets no reads until it answers well again.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type CompiledQuery, Kysely, PostgresDialect, type QueryResult, sql } from 'kysely'
import type pg from 'pg'
import type { Clock } from 'svc-kernel'
import type { ReplicaHealth } from 'svc-stores/table'
import { postgresFailure } from '../engines/postgres/postgres-failure.ts'
import { kyselyPool, PreparedNames } from '../engines/postgres/postgres-pool.ts'
import type { StoredRecord } from '../engines/sql-engine.ts'
import { fencedStatement } from '../row-security/fenced-statement.ts'
import { reasonOf } from './translate-error.ts'

export interface ReplicaParts {
  /** Of the connector. */
  readonly connector: string
  /** Without credentials. */
  readonly target: string
  /** For reads. */
  readonly pool: pg.Pool
  /** One connection, which waits for no read. */
  readonly watch: pg.Pool
  readonly names: PreparedNames
  /** `null`: however far it lags behind. */
  readonly maxLagMs: number | null
  /** Policies hold its reads: its role must not pass them. */
  readonly rowSecurity: boolean
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

interface ReplicaState {
  readonly standby: boolean
  readonly bypasses: boolean
  readonly lag: number | null
}

const EVERY_MS = 1000

/**
 * What is received and not replayed yet is as old as the last transaction that was. One that has replayed all that it
 * receives is up to date, however long ago the last transaction was.
 */
const STATE = sql<ReplicaState>`
  select pg_is_in_recovery() as standby,
  (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypasses, (case
    when exists (select 1 from pg_stat_wal_receiver) and pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn() then 0
    else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000
  end)::double precision as lag`

export class Replica {
  readonly #parts: ReplicaParts
  readonly #db: Kysely<unknown>
  readonly #watch: Kysely<unknown>
  #reason: string | null = 'not asked yet'
  #lagMs: number | null = null
  #timer: unknown = null
  #isClosed = false

  constructor(parts: ReplicaParts) {
    this.#parts = parts
    const { pool, watch, names, connector } = parts
    this.#db = new Kysely({ dialect: new PostgresDialect({ pool: kyselyPool(pool, names, connector) }) })
    const unnamed = new PreparedNames(false)
    this.#watch = new Kysely({ dialect: new PostgresDialect({ pool: kyselyPool(watch, unnamed, connector) }) })
  }

  /** Whether reads go to it. */
  get reading(): boolean {
    return this.#reason === null
  }

  get health(): ReplicaHealth {
    const { target, pool } = this.#parts
    return {
      target,
      reading: this.reading,
      reason: this.#reason,
      lagMs: this.#lagMs,
      pool: { size: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
    }
  }

  /** Asks it for the first time, and from then on every second. Never rejects. */
  async open(): Promise<void> {
    await this.#ask()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#parts.clock.clearTimeout(this.#timer)
    this.#reason = 'closed'
    await Promise.all([this.#db.destroy(), this.#watch.destroy()])
  }

  /** @param setting sets what the read may see; `null`: no table of it is fenced. Errors are the engine's own. */
  read(query: CompiledQuery, setting: CompiledQuery | null): Promise<QueryResult<StoredRecord>> {
    return setting === null ? this.#db.executeQuery<StoredRecord>(query) : fencedStatement(this.#db, setting, query)
  }

  /** It gets no reads until it has answered well again. @param reason free of credentials and values */
  leaveOut(reason: string): void {
    const { connector, target, log } = this.#parts
    const wasReading = this.reading
    if (this.#isClosed || this.#reason === reason) return
    this.#reason = reason
    if (!wasReading) return
    const fields = { code: 'SVC_SQLORM_REPLICA_OUT', connector, target, reason }
    log.warn(fields, `reads of connector ${connector} no longer go to the replica ${target}: ${reason}`)
  }

  async #ask(): Promise<void> {
    const { clock } = this.#parts
    try {
      const { rows } = await STATE.execute(this.#watch)
      this.#heard(rows[0])
    } catch (error) {
      this.#lagMs = null
      const failure = postgresFailure(error)
      this.leaveOut(failure === null ? 'it does not answer' : reasonOf(failure, error))
    }
    if (!this.#isClosed) this.#timer = clock.setTimeout(() => void this.#ask(), EVERY_MS)
  }

  #heard({ standby = false, bypasses = true, lag = null }: Partial<ReplicaState> = {}): void {
    const { maxLagMs, rowSecurity } = this.#parts
    this.#lagMs = lag === null ? null : Math.round(lag)
    // What was promoted goes its own way, and answers rows that the primary never had.
    if (!standby) this.leaveOut('it is no standby')
    else if (rowSecurity && bypasses) this.leaveOut('its role passes every policy')
    else if (maxLagMs !== null && (lag === null || lag > maxLagMs)) this.leaveOut(`it lags more than ${maxLagMs} ms`)
    else this.#takeBack()
  }

  #takeBack(): void {
    if (this.reading || this.#isClosed) return
    const { connector, target, log } = this.#parts
    this.#reason = null
    log.info({ connector, target }, `reads of connector ${connector} go to the replica ${target}`)
  }
}
