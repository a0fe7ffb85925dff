/**
 * One borrowed connection, as Kysely sees it. A `select` runs on the reader at
 * once; whatever writes takes the write lock for the statement, or for the whole
 * transaction. A lock of another process is waited for without blocking this one.
 */
import type { SQLInputValue } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { isStatementHeard, publishOver, statementsAreHeard } from 'svc-kernel/plugin'
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

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { turn } = this.#setting
    const isOver = turn.isOver()
    const start = turn.askedAt
    let result: QueryResult<R> | null = null
    try {
      if (isOver) await turn.next()
      const running = this.#execute<R>(query)
      result = running instanceof Promise ? await running : running
      return result
    } finally {
      if (statementsAreHeard()) this.#publish(query.sql, performance.now() - start, result)
    }
  }

  /** A statement whose lock is free is over at once. */
  #execute<R>(query: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> {
    const { file, lock, waitMs } = this.#setting
    if (this.#inTransaction) return execute<R>(file.writer, query)
    if (query.sql.startsWith('select ')) return waitForLock(() => execute<R>(file.reader, query), waitMs)
    return lock.tryAcquire() ? this.#write<R>(query) : lock.acquire().then(() => this.#write<R>(query))
  }

  #write<R>(query: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> {
    const { file, waitMs } = this.#setting
    let running: QueryResult<R> | Promise<QueryResult<R>> | null = null
    try {
      running = waitForLock(() => execute<R>(file.writer, query), waitMs)
      return running instanceof Promise ? running.finally(() => this.#written()) : running
    } finally {
      if (!(running instanceof Promise)) this.#written()
    }
  }

  /** @throws StrayTransaction */
  #written(): void {
    const { file, lock } = this.#setting
    // Text that says `begin` would hold the one connection for ever, across requests.
    const stray = file.writer.database.isTransaction
    if (stray) file.writer.database.exec('rollback')
    lock.release()
    if (stray) throw new StrayTransaction()
  }

  #publish(text: string, durationMs: number, result: QueryResult<unknown> | null): void {
    if (!isStatementHeard(durationMs)) return
    const facts = { ...statementFacts(this.#setting.connector, text), system: 'sqlite' }
    if (result === null) publishOver({ ...facts, durationMs, failed: true })
    else publishOver({ ...facts, durationMs, failed: false, rows: rowsOf(result) })
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const { file, turn } = this.#setting
    const { database } = this.#inTransaction ? file.writer : file.reader
    // Its own statement: one from the cache would start over when the same text runs meanwhile.
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
  const { statement, answers, names } = statements.prepare(sql)
  const bound = encodeParameters(parameters)
  if (answers) {
    const found: unknown[] = statement.all(...bound)
    return { rows: (names === null ? found : found.map((values) => rowOf(names, values as unknown[]))) as R[] }
  }
  return { rows: [], numAffectedRows: BigInt(statement.run(...bound).changes) }
}

function rowOf(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  let place = 0
  for (const name of names) {
    row[name] = values[place]
    place += 1
  }
  return row
}

function rowsOf({ rows, numAffectedRows }: QueryResult<unknown>): number {
  return numAffectedRows === undefined ? rows.length : Number(numAffectedRows)
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
