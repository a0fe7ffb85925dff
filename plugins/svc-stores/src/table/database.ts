/**
 * What a driver registers: one database, by name. `fastify.stores.addDatabase(database)`. Entities, stores, the admin
 * plane, statistics and health all use it through this port.
 */
import type { IdForm } from './ids.ts'
import type { Table } from './table.ts'
import type { TablePlan } from './table-plan.ts'
import type { Isolation, Transaction, TransactionOptions } from './transaction.ts'

export interface ConnectionFacts {
  /** Package that talks to the database: `node:sqlite`, `pg`, `mongoose`. */
  readonly driver: string
  /** Where the database is, without credentials: see `maskTarget`. */
  readonly target: string
  /** Of the server, once connected. */
  readonly version: string | null
}

export interface PoolState {
  /** Open connections. */
  readonly size: number
  readonly idle: number
  /** Callers that wait for one. */
  readonly waiting: number
}

/** How a connection fares, as the admin plane shows it. Texts are free of credentials. */
export interface ConnectionHealth {
  readonly connected: boolean
  /** Epoch ms; `null` while it is not connected. */
  readonly connectedSince: number | null
  /** Epoch ms; `null` while it is connected, and where the driver does not tell. */
  readonly disconnectedSince?: number | null
  readonly connectCount: number
  readonly reconnectCount: number
  readonly errorCount: number
  readonly lastError: string | null
  /** `null` when the ping was not answered. */
  readonly pingMs: number | null
  /** `null` where the driver keeps none. */
  readonly pool: PoolState | null
}

export interface Database {
  /** Unique in the application. */
  readonly name: string
  /** `sqlite`, `postgresql`, `mongodb`, `memory`. */
  readonly vendor: string
  readonly connection: ConnectionFacts
  readonly connected: boolean
  /** The application is shutting down: what is asked now is refused, and is asked no more. */
  readonly closing: boolean
  readonly ids: IdForm
  /** Whether a savepoint can be undone on its own. */
  readonly savepoints: boolean
  /**
   * A transaction is always there, and costs about as much as its statements. `false`: a store does without one where
   * single steps in the right order will do.
   */
  readonly cheapTransactions: boolean
  /** Levels that it keeps, as such or stronger. Default: all. */
  readonly isolations?: readonly Isolation[]
  /** Declares a table, before the connection opens. The same plan again: the same table. */
  table<Row extends object>(plan: TablePlan): Table<Row>
  /** What keeps the rows of a plan, as the database calls it. */
  storedAs(plan: TablePlan): string
  /** Opens a transaction around `work`; where another one came first, `work` runs again, a bounded number of times. Calls `runEffects` once it is kept. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Pings the database; never rejects. */
  health(): Promise<ConnectionHealth>
  /**
   * Drops what was declared, tables and rows, and makes it anew. For development: whoever calls it has asked. Absent:
   * the driver cannot, or keeps nothing.
   *
   * @returns names of what was dropped, as the database has them
   */
  reset?(): Promise<readonly string[]>
}
