/** An open transaction of one connector. It ends with its work: what comes later is refused. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type Kysely, type KyselyPlugin, type QueryResult } from 'kysely'
import type { NativeOptions } from 'svc-orm/driver'
import { ForeignTransaction, TransactionOver } from 'svc-stores'
import {
  effectsOf,
  type Isolation,
  runEffects,
  runOperation,
  runWork,
  type Transaction,
  type TransactionOptions
} from 'svc-stores/table'
import type { LiveConnection } from '../connection/live-connection.ts'
import type { StoredRecord } from '../engines/sql-engine.ts'
import { TransactionSetting } from '../row-security/transaction-setting.ts'
import { rerun } from './rerun.ts'

type Rows = QueryResult<StoredRecord>

/** Where the statements of a table go: the connection, or an open transaction of it. */
export interface StatementRunner {
  /** Reads see what stood when the transaction began, while others go on. */
  readonly hasSnapshot: boolean
  /** A policy may hide rows that are there. */
  readonly isFenced: boolean
  read(query: CompiledQuery): Promise<Rows>
  /** One that a unique index may refuse. */
  write(query: CompiledQuery): Promise<Rows>
  /** Several writes that count as one: in a transaction, one that fails dooms it. */
  together<T>(work: (runner: StatementRunner) => Promise<T>): Promise<T>
}

declare module 'svc-stores/table' {
  interface Transaction {
    /** On SQL: Kysely inside the transaction. `fastify.sqlorm.kysely<Tables>(tx)` knows the tables. */
    readonly kysely?: Kysely<Record<string, Record<string, unknown>>>
  }
}

/** The savepoint whose work runs. */
const innermost = new AsyncLocalStorage<SqlTransaction>()

export class SqlTransaction implements Transaction, StatementRunner {
  readonly connector: string
  readonly hasSnapshot: boolean
  readonly #database: LiveConnection
  readonly #db: Kysely<unknown>
  /** The transaction around this savepoint. */
  readonly #outer: SqlTransaction | null
  readonly #depth: number
  #ended = false
  readonly #setting: TransactionSetting
  /** Savepoints of one transaction take turns: two at once would end each other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(
    database: LiveConnection,
    db: Kysely<unknown>,
    hasSnapshot: boolean,
    outer: SqlTransaction | null = null
  ) {
    this.hasSnapshot = hasSnapshot
    this.connector = database.name
    this.#database = database
    this.#db = db
    this.#outer = outer
    this.#setting = outer === null ? new TransactionSetting() : outer.#setting
    this.#depth = outer === null ? 0 : outer.#depth + 1
  }

  /** Opens a transaction around `work`, again where another one came first and `retry` is not `false`. */
  static run<T>(
    database: LiveConnection,
    work: (tx: SqlTransaction) => Promise<T>,
    { isolation = 'repeatable read', retry = true }: TransactionOptions = {}
  ): Promise<T> {
    if (!database.engine.hasIsolation) return SqlTransaction.#once(database, work)
    const once = () => SqlTransaction.#once(database, work, isolation)
    return retry ? rerun(once) : once()
  }

  static async #once<T>(
    database: LiveConnection,
    work: (tx: SqlTransaction) => Promise<T>,
    isolation?: Isolation
  ): Promise<T> {
    let opened: SqlTransaction | null = null
    const end = () => {
      if (opened !== null) opened.#ended = true
    }
    const begun = async (db: Kysely<unknown>): Promise<T> => {
      opened = new SqlTransaction(database, db, isolation !== undefined && isolation !== 'read committed')
      try {
        return await runWork(opened, work)
      } finally {
        end()
      }
    }
    // Cut short, it ends at once: a statement that came behind the `rollback` would stand on its own.
    const result = await database.transaction(begun, end, isolation)
    if (opened !== null) runEffects(opened)
    return result
  }

  /** @throws ForeignTransaction */
  static of(tx: Transaction, database: LiveConnection): SqlTransaction {
    if (tx instanceof SqlTransaction && tx.#database === database) return tx
    throw new ForeignTransaction(tx.connector, database.name)
  }

  /**
   * Kysely inside the transaction, for what repositories do not say. Its errors are the engine's own; where one is
   * caught, PostgreSQL takes nothing more, and what resolves all the same rejects.
   *
   * @throws TransactionOver, as its statements do; NativeInScope
   */
  get kysely(): Kysely<Record<string, Record<string, unknown>>> {
    return this.native()
  }

  /** The same, also across scopes. @throws TransactionOver, NativeInScope */
  native(options?: NativeOptions): Kysely<Record<string, Record<string, unknown>>> {
    this.#database.access.check('kysely', options)
    this.#assertOpen()
    // Only the compiler knows of tables; at run time Kysely is the same for all.
    return this.#db.withPlugin(this.#whileOpen) as unknown as Kysely<Record<string, Record<string, unknown>>>
  }

  /** A statement that came behind the `rollback` would stand on its own. */
  readonly #whileOpen: KyselyPlugin = {
    transformQuery: ({ node }) => {
      this.#assertOpen()
      return node
    },
    transformResult: async ({ result }) => result
  }

  /** Ended, or inside one that has. */
  get isOver(): boolean {
    return this.#ended || this.#outer?.isOver === true
  }

  get isFenced(): boolean {
    return this.#database.fence.isRaised
  }

  get running(): SqlTransaction {
    const inner = innermost.getStore()
    return inner === undefined || !inner.#isWithin(this) ? this : inner
  }

  /** Work of a savepoint that asks the transaction around it for another one gets it inside its own: it cannot wait for itself. */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const inner = this.running
    if (inner !== this) return inner.savepoint(work)
    const result = this.#turn.then(() => this.#savepoint(work))
    this.#turn = result.catch(() => undefined)
    return result
  }

  read(query: CompiledQuery): Promise<Rows> {
    return this.#execute(query)
  }

  write(query: CompiledQuery): Promise<Rows> {
    return this.#execute(query)
  }

  together<T>(work: (runner: StatementRunner) => Promise<T>): Promise<T> {
    return work(this)
  }

  async #savepoint<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    const name = `level_${this.#depth}`
    const tx = new SqlTransaction(this.#database, this.#db, this.hasSnapshot, this)
    await runOperation(this, () => this.#send(CompiledQuery.raw(`savepoint ${name}`)))
    try {
      const result = await innermost.run(tx, () => runWork(tx, work))
      await this.#send(CompiledQuery.raw(`release savepoint ${name}`))
      effectsOf(this).push(...effectsOf(tx))
      return result
    } catch (error) {
      await this.#send(CompiledQuery.raw(`rollback to savepoint ${name}`))
      this.#setting.forget()
      throw error
    } finally {
      tx.#ended = true
    }
  }

  #isWithin(other: SqlTransaction): boolean {
    const outer = this.#outer
    return !this.#ended && outer !== null && (outer === other || outer.#isWithin(other))
  }

  #assertOpen(): void {
    if (this.isOver) throw new TransactionOver()
  }

  async #execute(query: CompiledQuery): Promise<Rows> {
    const setting = this.#database.fence.setting()
    const send = (each: CompiledQuery) => this.#send(each)
    return setting === null ? send(query) : this.#setting.run(setting, send, () => send(query))
  }

  async #send(query: CompiledQuery): Promise<Rows> {
    this.#assertOpen()
    return this.#database.track(() => this.#db.executeQuery<StoredRecord>(query))
  }
}

/** Statements outside of any transaction. */
export function connectionRunner(database: LiveConnection): StatementRunner {
  const execute: StatementRunner['read'] = (query) => database.execute(query)
  return {
    hasSnapshot: false,
    isFenced: false,
    read: execute,
    // Where statements run side by side, two that take the same rows in another order may shut each other out.
    write: database.engine.hasIsolation ? (query) => rerun(() => execute(query)) : execute,
    together: (work) => SqlTransaction.run(database, work, { isolation: 'read committed' })
  }
}
