/**
 * One borrowed connection, as Kysely sees it. A `select` runs on the reader at
 * once; whatever writes takes the write lock for the statement, or for the whole
 * transaction. A lock of another process is waited for without blocking this one.
 */
import type { SQLInputValue } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { requestChannels } from 'svc-kernel'
import { publishStatement } from 'svc-kernel/plugin'
import { StrayTransaction } from '../../errors.ts'
import { statementFacts } from '../statement-facts.ts'
import type { EventLoopTurn } from './event-loop-turn.ts'
import { noteLooseReference } from './loose-reference.ts'
import { isReferenceFailure } from './sqlite-failure.ts'
import type { SqliteFile, SqliteSide } from './sqlite-file.ts'
import { waitForLock } from './wait-for-lock.ts'
import type { WriteLock } from './write-lock.ts'

export interface SqliteSetting {
  /** Name of the connector. */
  readonly connector: string
  readonly file: SqliteFile
  readonly lock: WriteLock
  readonly turn: EventLoopTurn
  readonly waitMs: number
}

export class SqliteSession implements DatabaseConnection {
  readonly #setting: SqliteSetting
  #inTransaction = false

  constructor(setting: SqliteSetting) {
    this.#setting = setting
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return requestChannels.statement.hasSubscribers ? this.#published<R>(query) : this.#execute<R>(query)
  }

  #published<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const facts = { ...statementFacts(this.#setting.connector, query.sql), system: 'sqlite' }
    return publishStatement(facts, () => this.#execute<R>(query))
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { file, lock, turn, waitMs } = this.#setting
    if (turn.isOver()) await turn.next()
    if (this.#inTransaction) return execute<R>(file.writer, query)
    if (query.sql.startsWith('select ')) return waitForLock(() => execute<R>(file.reader, query), waitMs)
    if (!lock.tryAcquire()) await lock.acquire()
    try {
      return await waitForLock(() => execute<R>(file.writer, query), waitMs)
    } finally {
      // Text that says `begin` would hold the one connection for ever, across requests.
      const stray = file.writer.database.isTransaction
      if (stray) file.writer.database.exec('rollback')
      lock.release()
      if (stray) refuseStray()
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const { file, turn } = this.#setting
    const { database } = this.#inTransaction ? file.writer : file.reader
    // A statement of its own: one from the cache would start over when the same text runs meanwhile.
    for (const row of database.prepare(query.sql).iterate(...encodeParameters(query.parameters))) {
      if (turn.isOver()) await turn.next()
      yield { rows: [row as R] }
    }
  }

  async begin(readOnly: boolean): Promise<void> {
    const { file, lock, waitMs } = this.#setting
    if (!lock.tryAcquire()) await lock.acquire()
    try {
      // Immediate: a transaction that upgrades itself later may find that its turn has passed.
      await waitForLock(() => file.writer.database.exec(readOnly ? 'begin deferred' : 'begin immediate'), waitMs)
    } catch (error) {
      lock.release()
      throw error
    }
    this.#inTransaction = true
  }

  /** A commit that fails, on a full disk for instance, is undone. */
  commit(): void {
    const { database } = this.#setting.file.writer
    try {
      database.exec('commit')
    } catch (error) {
      if (isReferenceFailure(error)) noteLooseReference(error as Error, database)
      throw error
    } finally {
      this.rollback()
    }
  }

  rollback(): void {
    if (!this.#inTransaction) return
    this.#inTransaction = false
    const { database } = this.#setting.file.writer
    try {
      // A file that is closed has undone it already.
      if (database.isOpen && database.isTransaction) database.exec('rollback')
    } finally {
      this.#setting.lock.release()
    }
  }
}

function execute<R>({ statements }: SqliteSide, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const { statement, answers } = statements.prepare(sql)
  const bound = encodeParameters(parameters)
  if (answers) return { rows: statement.all(...bound) as R[] }
  return { rows: [], numAffectedRows: BigInt(statement.run(...bound).changes) }
}

function refuseStray(): never {
  throw new StrayTransaction()
}

/** Booleans as 0 and 1, dates as epoch milliseconds; the same list where nothing has to change. @throws TypeError for a value that no column can hold */
function encodeParameters(values: readonly unknown[]): readonly SQLInputValue[] {
  return values.every(isBindable) ? values : values.map(bindable)
}

function isBindable(value: unknown): value is SQLInputValue {
  const type = typeof value
  return type === 'string' || type === 'number' || value === null || type === 'bigint' || value instanceof Uint8Array
}

function bindable(value: unknown): SQLInputValue {
  if (isBindable(value)) return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.getTime()
  throw new TypeError(`a ${value === undefined ? 'value that is undefined' : typeof value} cannot be a parameter`)
}
