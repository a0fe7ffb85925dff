/**
 * A database as a driver registers it: `fastify.stores.addDatabase(database)`. Entities, stores, the admin API,
 * statistics and health checks use it through this port.
 */
import type { IdForm } from './ids.ts'
import type { Table } from './table.ts'
import type { TablePlan } from './table-plan.ts'
import type { Isolation, Transaction, TransactionOptions } from './transaction.ts'

export interface ConnectionFacts {
  /** The package that talks to the database: `node:sqlite`, `pg`, `mongoose`. */
  readonly driver: string
  /** The address of the database, without credentials: see `maskTarget`. */
  readonly target: string
  /** The version of the server, once connected. */
  readonly version: string | null
}

export interface PoolState {
  /** Open connections. */
  readonly size: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

/** The state of a connection, for the admin API. Texts contain no credentials. */
export interface ConnectionHealth {
  readonly connected: boolean
  /** Epoch ms; `null` while it is not connected. */
  readonly connectedSince: number | null
  /** Epoch ms; `null` while it is connected, or if the driver does not know. */
  readonly disconnectedSince?: number | null
  readonly connectCount: number
  readonly reconnectCount: number
  readonly errorCount: number
  readonly lastError: string | null
  /** `null` if the ping was not answered. */
  readonly pingMs: number | null
  /** `null` if the driver has no pool. */
  readonly pool: PoolState | null
  /** Copies that answer reads; absent if there are none. */
  readonly replicas?: readonly ReplicaHealth[]
}

/** A copy of a database that lags behind. Texts contain no credentials. */
export interface ReplicaHealth {
  readonly target: string
  /** Whether reads go to it. */
  readonly reading: boolean
  /** Why not; `null` if they do. */
  readonly reason: string | null
  /** Milliseconds behind the primary; `null` if it is not known. */
  readonly lagMs: number | null
  readonly pool: PoolState | null
}

export interface Database {
  /** Unique in the application. */
  readonly name: string
  /** `sqlite`, `postgresql`, `mongodb`, `memory`. */
  readonly vendor: string
  readonly connection: ConnectionFacts
  readonly connected: boolean
  /** True while the application shuts down: calls are refused and not retried. */
  readonly closing: boolean
  readonly ids: IdForm
  /** Whether a savepoint can be rolled back on its own. */
  readonly savepoints: boolean
  /**
   * Whether a transaction is always available and costs about as much as its statements. If `false`, stores use single
   * steps in a safe order instead, where possible.
   */
  readonly cheapTransactions: boolean
  /** Whether it keeps `TablePlan.references` itself: with `ReferenceMissing` and `ReferencedRow`. Default `false`. */
  readonly references?: boolean
  /** Whether its tables take the condition `search`, the order `ranked` and indexes with the method `words`. Default `false`. */
  readonly search?: boolean
  /** Whether its tables take `Selection.counted`, in less time than a statement of their own takes. Default `false`. */
  readonly countsInFind?: boolean
  /** `false` where the server has no transactions, once that is known. Default `true`. */
  readonly transactions?: boolean
  /** Isolation levels that it supports, as such or stronger. Default: all. */
  readonly isolations?: readonly Isolation[]
  /** Declares a table, before the connection opens. The same plan returns the same table. */
  table<Row extends object>(plan: TablePlan): Table<Row>
  /**
   * Declares a table without indexes at any time: once the connection is open, it is made first where it is missing.
   * Absent: `table` does so.
   */
  ensureTable?<Row extends object>(plan: TablePlan): Promise<Table<Row>>
  /**
   * The same table, whose reads a replica may answer: they may be older than the last write. For callers that know that
   * they need no newer rows, which stores never do. Writes go to the primary. Absent, or `null`: there are no replicas.
   */
  replicaTable?<Row extends object>(plan: TablePlan): Table<Row> | null
  /** The name of the table or collection of a plan. */
  storedAs(plan: TablePlan): string
  /**
   * Runs `work` in a transaction; after a conflict it runs `work` again, a limited number of times. Calls `runEffects`
   * after the commit.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Pings the database; never rejects. */
  health(): Promise<ConnectionHealth>
  /**
   * Drops all declared tables and rows, and creates the tables again. For development; the caller has asked for
   * confirmation. Absent if the driver cannot, or keeps nothing.
   *
   * @returns names of what was dropped, as in the database
   */
  reset?(): Promise<readonly string[]>
}
