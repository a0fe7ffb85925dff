/** Kysely's dialect for `node:sqlite`: its own compiler for SQLite, over a driver of ours. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings
} from 'kysely'
import type { Clock } from 'svc-kernel'
import { EventLoopTurn } from './event-loop-turn.ts'
import { SqliteFile, type SqliteFileOptions } from './sqlite-file.ts'
import { SqliteSession } from './sqlite-session.ts'
import { waitForLock } from './wait-for-lock.ts'
import { WriteLock } from './write-lock.ts'

export interface SqliteDialectOptions extends SqliteFileOptions {
  /** Name of the connector. */
  readonly connector: string
  /** How long a writer waits for its turn, in milliseconds. */
  readonly waitMs: number
  readonly clock: Clock
}

export class SqliteDialect implements Dialect {
  readonly #driver: SqliteDriver

  constructor(options: SqliteDialectOptions) {
    this.#driver = new SqliteDriver(options)
  }

  createDriver(): Driver {
    return this.#driver
  }

  /** A statement outside of transactions, past the steps of Kysely that lend connections. Once Kysely has opened the file. */
  execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#driver.execute(query)
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): SqliteAdapter {
    return new SharedAdapter()
  }

  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db)
  }
}

/** The driver takes turns by itself, and only where turns must be taken. */
class SharedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #options: SqliteDialectOptions
  readonly #lock: WriteLock
  readonly #turn = new EventLoopTurn()
  #file: SqliteFile | null = null
  /** For statements outside of transactions, which share it. */
  #shared: SqliteSession | null = null

  constructor(options: SqliteDialectOptions) {
    this.#options = options
    this.#lock = new WriteLock(options.clock, options.waitMs)
  }

  async init(): Promise<void> {
    // Another instance may be setting the same file up.
    this.#file = await waitForLock(() => new SqliteFile(this.#options), this.#options.waitMs)
    this.#shared = this.#session()
  }

  execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#shared === null ? Promise.reject(notOpen()) : this.#shared.executeQuery(query)
  }

  async acquireConnection(): Promise<SqliteSession> {
    return this.#session()
  }

  #session(): SqliteSession {
    if (this.#file === null) throw notOpen()
    const { connector, waitMs } = this.#options
    return new SqliteSession({ connector, file: this.#file, lock: this.#lock, turn: this.#turn, waitMs })
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    await sessionOf(connection).begin(accessMode === 'read only')
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    sessionOf(connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    sessionOf(connection).rollback()
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`savepoint ${quoted(name)}`))
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`rollback to ${quoted(name)}`))
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`release ${quoted(name)}`))
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    // Nothing is left to do unless a transaction was abandoned halfway.
    sessionOf(connection).rollback()
  }

  async destroy(): Promise<void> {
    this.#file?.close()
    this.#file = null
    this.#shared = null
  }
}

function notOpen(): Error {
  return new Error('the database is not open')
}

function sessionOf(connection: DatabaseConnection): SqliteSession {
  if (connection instanceof SqliteSession) return connection
  throw new TypeError('a connection of another driver')
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
