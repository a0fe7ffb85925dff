/**
 * A database as an open transaction sees it: a store that is opened on it does all of its work in there, and knows
 * nothing of it. Tables are those of the database, which has declared them by then.
 */
import type { ConnectionFacts, ConnectionHealth, Database } from './database.ts'
import type { IdForm } from './ids.ts'
import type { Table } from './table.ts'
import type { TablePlan } from './table-plan.ts'
import type { Isolation, Transaction } from './transaction.ts'

export class JoinedDatabase implements Database {
  readonly name: string
  readonly vendor: string
  readonly connection: ConnectionFacts
  readonly ids: IdForm
  readonly savepoints: boolean
  /** There is one already. */
  readonly cheapTransactions = true
  readonly references: boolean
  readonly search: boolean
  readonly isolations: readonly Isolation[] = []
  readonly #database: Database
  readonly #tx: Transaction

  constructor(database: Database, tx: Transaction) {
    this.name = database.name
    this.vendor = database.vendor
    this.connection = database.connection
    this.ids = database.ids
    this.savepoints = database.savepoints
    this.references = database.references === true
    this.search = database.search === true
    this.#database = database
    this.#tx = tx
  }

  get connected(): boolean {
    return this.#database.connected
  }

  get closing(): boolean {
    return this.#database.closing
  }

  /** @throws ForeignTransaction, TransactionOver */
  table<Row extends object>(plan: TablePlan): Table<Row> {
    return this.#database.table<Row>(plan).within(this.#tx)
  }

  storedAs(plan: TablePlan): string {
    return this.#database.storedAs(plan)
  }

  /** A part of the open one, at its level. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#tx.savepoint(work)
  }

  health(): Promise<ConnectionHealth> {
    return this.#database.health()
  }
}
