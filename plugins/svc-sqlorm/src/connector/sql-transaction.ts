/** An open transaction of one connector. It ends with its work: what comes later is refused. */
import { CompiledQuery, type Kysely, type QueryResult } from 'kysely'
import { ForeignTransaction, runOperation, runWork, type Transaction, TransactionOver } from 'svc-orm'
import type { SqlDatabase } from '../connection/sql-database.ts'
import type { StatementRunner, StoredRecord } from '../gateway/statement-runner.ts'

type Rows = QueryResult<StoredRecord>

export class SqlTransaction implements Transaction, StatementRunner {
  readonly connector: string
  readonly #database: SqlDatabase
  readonly #db: Kysely<unknown>
  /** The transaction around this savepoint. */
  readonly #outer: SqlTransaction | null
  readonly #depth: number
  #ended = false
  /** Savepoints of one transaction take turns: two at once would end each other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(database: SqlDatabase, db: Kysely<unknown>, outer: SqlTransaction | null = null) {
    this.connector = database.name
    this.#database = database
    this.#db = db
    this.#outer = outer
    this.#depth = outer === null ? 0 : outer.#depth + 1
  }

  /** Opens a transaction around `work`. */
  static async run<T>(database: SqlDatabase, work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    let opened: SqlTransaction | null = null
    const end = () => {
      if (opened !== null) opened.#ended = true
    }
    const begun = async (db: Kysely<unknown>): Promise<T> => {
      opened = new SqlTransaction(database, db)
      try {
        return await runWork(opened, work)
      } finally {
        end()
      }
    }
    // Cut short, it ends at once: a statement that came behind the `rollback` would stand on its own.
    return database.transaction(begun, end)
  }

  /** @throws ForeignTransaction */
  static of(tx: Transaction, database: SqlDatabase): SqlTransaction {
    if (tx instanceof SqlTransaction && tx.#database === database) return tx
    throw new ForeignTransaction(tx.connector, database.name)
  }

  /** Ended, or inside one that has. */
  get isOver(): boolean {
    return this.#ended || this.#outer?.isOver === true
  }

  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
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
    const tx = new SqlTransaction(this.#database, this.#db, this)
    await runOperation(this, () => this.#execute(CompiledQuery.raw(`savepoint ${name}`)))
    try {
      const result = await runWork(tx, work)
      await this.#execute(CompiledQuery.raw(`release savepoint ${name}`))
      return result
    } catch (error) {
      await this.#execute(CompiledQuery.raw(`rollback to savepoint ${name}`))
      throw error
    } finally {
      tx.#ended = true
    }
  }

  async #execute(query: CompiledQuery): Promise<Rows> {
    if (this.isOver) throw new TransactionOver()
    return this.#database.told(() => this.#db.executeQuery<StoredRecord>(query))
  }
}
