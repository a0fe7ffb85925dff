/**
 * A database behind one connector: it opens, has its tables made, and stays usable. One that cannot be reached does not stop
 * the application: calls fail with 503 at once, and it is tried again in the background, until a statement succeeds.
 */
import { type CompiledQuery, Kysely, type QueryResult, sql } from 'kysely'
import { BootError } from 'svc-kernel'
import { type Difference, NativeAccess, refuseDrift } from 'svc-orm/driver'
import { ConnectionUnavailable } from 'svc-stores'
import { type ConnectionHealth, ConnectionRecord, type Isolation, WriteWatch } from 'svc-stores/table'
import { isOfDatabase } from '../engines/failure.ts'
import type { SqlEngine, StoredRecord } from '../engines/sql-engine.ts'
import { TransactionTimeout } from '../errors.ts'
import { RowFence } from '../row-security/row-fence.ts'
import { breakingOf, differencesOf, planSchema, type SchemaPlan } from '../schema/plan-schema.ts'
import type { TableDefinition } from '../schema/table-definition.ts'
import { applySchema } from './apply-schema.ts'
import { ConnectionLog } from './connection-log.ts'
import type { LiveConnectionParts } from './connection-parts.ts'
import { OpenTransactions } from './open-transactions.ts'
import { dropTables } from './reset-tables.ts'
import type { SqlConnection } from './sql-connection.ts'
import { messageOf, openProblem, reasonOf, translateError } from './translate-error.ts'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000

export class LiveConnection implements SqlConnection {
  readonly name: string
  readonly engine: SqlEngine
  readonly access: NativeAccess
  readonly fence: RowFence
  readonly #parts: LiveConnectionParts
  readonly #db: Kysely<unknown>
  readonly #execute: (query: CompiledQuery) => Promise<QueryResult<StoredRecord>>
  readonly #record = new ConnectionRecord()
  readonly #transactions: OpenTransactions
  readonly #log: ConnectionLog
  readonly #writes: WriteWatch
  readonly #tables: TableDefinition[] = []
  readonly #listeners: (() => void)[] = []
  #state: 'new' | 'opening' | 'open' | 'closed' = 'new'
  #missing: SchemaPlan['missing'] = []
  /** Tables whose rows have no number. */
  #unnumbered: ReadonlySet<string> = new Set()
  #version: string | null = null
  #outages = 0
  #retry: unknown = null
  #retryMs = FIRST_RETRY_MS

  constructor(parts: LiveConnectionParts) {
    this.name = parts.name
    this.engine = parts.engine
    this.access = new NativeAccess(parts.name)
    this.fence = new RowFence(parts)
    this.#parts = parts
    const { dialect, log, debug, clock, transactionTimeoutMs } = parts
    this.#transactions = new OpenTransactions(clock, transactionTimeoutMs)
    this.#log = new ConnectionLog(parts)
    this.#writes = new WriteWatch({ ...parts, probe: () => this.engine.probeWrite(this.#db) })
    this.#db = new Kysely<unknown>({
      dialect,
      ...(debug && { log: ({ query, queryDurationMillis }) => log.debug({ ms: queryDurationMillis }, query.sql) })
    })
    this.#execute = parts.execute ?? ((query) => this.#db.executeQuery<StoredRecord>(query))
  }

  get connected(): boolean {
    return this.#state === 'open' && this.#record.connected
  }

  /** Epoch ms; `null` while it is connected. */
  get disconnectedSince(): number | null {
    return this.#record.disconnectedSince
  }

  get closed(): boolean {
    return this.#state === 'closed'
  }

  /** Tables are declared before. */
  get started(): boolean {
    return this.#state !== 'new'
  }

  get version(): string | null {
    return this.#version
  }

  /** Kysely itself, for what repositories do not offer. Its errors are the engine's own. */
  get native(): Kysely<unknown> {
    return this.#db
  }

  /** For migrations, which run before it is open, or while nothing else does: without limits of time. */
  beside(): { readonly db: Kysely<unknown>; close(): Promise<void> } {
    const { migrating } = this.#parts
    if (migrating === undefined) return { db: this.#db, close: async () => undefined }
    const db = new Kysely<unknown>({ dialect: migrating() })
    return { db, close: () => db.destroy() }
  }

  /** What an error of the engine is to callers; what it says of the database is noted. */
  translated(error: unknown): unknown {
    return this.#translated(error)
  }

  /** Called once the tables stand, before the first statement. */
  whenOpen(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Whether a required column could not be added to its table. */
  isMissing(table: string, column: string): boolean {
    return this.#missing.some((each) => each.table === table && each.column === column)
  }

  /** By what a row of a table that the schema declares is found at once; `null`: by its key. */
  rowNumberOf(table: string): string | null {
    return this.#unnumbered.has(table) ? null : (this.engine.rowNumber?.name ?? null)
  }

  declare(...tables: readonly TableDefinition[]): void {
    if (this.started) throw new TypeError('tables are declared before the connection opens')
    this.#tables.push(...tables)
  }

  /** Makes a table once the connection is open. @throws ConnectionUnavailable; BootError where it exists and does not fit */
  async ensure(table: TableDefinition): Promise<void> {
    const check = (seen: SchemaPlan) => refuseDrift(breakingOf(seen), 'refuse')
    const { missing } = await this.run((db) => applySchema(db, this.engine, [table], check))
    if (this.#tables.some(({ name }) => name === table.name)) return
    this.#missing = [...this.#missing, ...missing]
    this.#tables.push(table)
  }

  withTables<Known>(): SqlConnection<Known> {
    // Only the compiler knows of tables; at run time Kysely is the same for all.
    return this as unknown as SqlConnection<Known>
  }

  async run<T>(work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
    if (this.#state !== 'open') throw new ConnectionUnavailable(this.name)
    return this.track(() => work(this.#db))
  }

  /** A compiled statement outside of a transaction. @throws as `run` */
  execute(query: CompiledQuery): Promise<QueryResult<StoredRecord>> {
    if (this.#state !== 'open') return Promise.reject(new ConnectionUnavailable(this.name))
    return this.track(() => this.#execute(query))
  }

  /** Runs a statement and watches what becomes of it; its error comes translated. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    const outages = this.#outages
    try {
      const result = await work()
      // What was sent before the outage, and answered during it, does not end it.
      if (!this.#record.connected && outages === this.#outages) this.#up()
      return result
    } catch (error) {
      throw this.#translated(error)
    }
  }

  transaction<T>(
    work: (db: Kysely<unknown>) => Promise<T>,
    onEnd: () => void = () => undefined,
    isolation?: Isolation
  ): Promise<T> {
    const expired = () => new TransactionTimeout(this.name)
    const bounded = (db: Kysely<unknown>) => this.#transactions.bounded(() => work(db), expired, onEnd)
    return this.run((db) => {
      const transaction = db.transaction()
      return (isolation === undefined ? transaction : transaction.setIsolationLevel(isolation)).execute(bounded)
    })
  }

  /** @throws BootError where no time will help: wrong credentials, a damaged file, rows against a unique index */
  async open(): Promise<void> {
    this.#state = 'opening'
    try {
      await this.#connect()
    } catch (error) {
      const { engine, name, target } = this.#parts
      const failure = engine.failure(error)
      if (failure === null) throw error
      const problem = openProblem({ connector: name, kind: failure.kind, detail: messageOf(error), target })
      if (problem !== null) throw new BootError([problem], { cause: error })
      this.#retryLater(error, FIRST_RETRY_MS)
    }
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    this.#record.end()
    this.#writes.close()
    if (this.#retry !== null) this.#parts.clock.clearTimeout(this.#retry)
    // The pool waits for every connection that is out.
    this.#transactions.endAll(new ConnectionUnavailable(this.name))
    await this.#db.destroy()
  }

  /** How the database differs from the declared tables; it need not be open. */
  differences(): Promise<readonly Difference[]> {
    return this.unopened(async (db) => differencesOf(planSchema(await this.engine.existingSchema(db), this.#tables)))
  }

  /** For who looks at the database; it need not be open. */
  async unopened<T>(work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
    try {
      return await work(this.#db)
    } catch (error) {
      throw this.#translated(error)
    }
  }

  /** Drops every declared table and makes it again; other tables of the database stay. @returns names of the tables */
  async reset(): Promise<readonly string[]> {
    const own = this.#tables.filter(({ existing }) => existing !== true).map(({ name }) => name)
    await dropTables(this, own)
    await this.#connect()
    return own
  }

  /** Asks the database, also where the next try to open it is not due yet. @throws as `run`; what refused the last write */
  async check(): Promise<void> {
    if (this.#retry !== null) await this.#openAgain()
    await this.run((db) => sql`select 1`.execute(db))
    this.#writes.check()
  }

  /** Pings the database; never rejects. */
  async health(): Promise<ConnectionHealth> {
    const start = performance.now()
    // What fails has been noted by then.
    const answer = await this.run((db) => sql`select 1`.execute(db)).catch(() => null)
    const pingMs = answer === null ? null : performance.now() - start
    return { connected: this.connected, ...this.#record.view(), pingMs, pool: this.engine.pool() }
  }

  /** For the pool: an idle connection broke off. */
  readonly noticed = (error: Error): void => {
    if (this.#state === 'open') this.#translated(error)
  }

  async #connect(): Promise<void> {
    const { engine, drift } = this.#parts
    this.#version = await engine.version(this.#db)
    const plan = await applySchema(this.#db, engine, this.#tables, (seen) => {
      refuseDrift(seen.renamed, 'refuse')
      refuseDrift(breakingOf(seen), drift)
    })
    this.#unnumbered = (await engine.rowNumber?.lacking(this.#db)) ?? new Set<string>()
    await this.fence.raise(this.#db, engine)
    if (this.#state === 'closed') return
    this.#missing = plan.missing
    this.#log.schema(plan)
    for (const listener of this.#listeners) listener()
    this.#state = 'open'
    this.#up()
  }

  #retryLater(error: unknown, retryMs: number): void {
    if (this.#state === 'closed') return
    const { engine, clock } = this.#parts
    const failure = engine.failure(error)
    const reason = failure === null ? messageOf(error) : reasonOf(failure, error)
    this.#record.failed(reason, this.#parts.clock.now())
    this.#log.notThere(reason, retryMs, retryMs === FIRST_RETRY_MS)
    this.#retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
    this.#retry = clock.setTimeout(() => void this.#openAgain(), retryMs)
  }

  async #openAgain(): Promise<void> {
    this.#parts.clock.clearTimeout(this.#retry)
    this.#retry = null
    await this.#connect().catch((again: unknown) => this.#retryLater(again, this.#retryMs))
  }

  #up(): void {
    if (this.#record.up(this.#parts.clock.now())) this.#log.connected(this.#version)
  }

  #translated(error: unknown): unknown {
    const failure = this.engine.failure(error)
    // Kysely refuses with its own error what comes after the end.
    if (failure === null) return this.#state === 'closed' ? new ConnectionUnavailable(this.name) : error
    const { kind } = failure
    const reason = reasonOf(failure, error)
    if (kind === 'unavailable' || kind === 'misconfigured') {
      this.#outages += 1
      if (this.#record.down(reason, this.#parts.clock.now())) this.#log.gone(reason)
    } else if (isOfDatabase(kind)) this.#record.failed(reason, this.#parts.clock.now())
    const translated = translateError(failure, this.name, error)
    if (kind === 'read-only' || kind === 'full') this.#writes.refused(translated, reason)
    return translated
  }
}
