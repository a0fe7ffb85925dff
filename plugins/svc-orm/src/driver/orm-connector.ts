/** What a driver registers: one database, by name. `fastify.orm.addConnector(connector)`. */

import type { IdForm, Isolation, Transaction, TransactionOptions } from 'svc-stores/table'
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import type { NativeClass } from '../entity/declared.ts'
import type { EntityDefinition } from '../entity/entity-definition.ts'
import type { Repository } from '../repository/repository.ts'
import type { FlowStatistics } from '../statistics/flow-statistics.ts'
import type { ConnectionHealth } from './connection-health.ts'

export interface ConnectionFacts {
  /** Package that talks to the database: `node:sqlite`, `pg`, `mongoose`. */
  readonly driver: string
  /** Where the database is, without credentials: see `maskTarget`. */
  readonly target: string
  /** Of the server, once connected. */
  readonly version: string | null
}

export interface OrmConnector {
  /** Unique in the application. */
  readonly name: string
  /** `sqlite`, `postgresql`, `mongodb`, `memory`. */
  readonly vendor: string
  readonly connection: ConnectionFacts
  readonly connected: boolean
  readonly ids: IdForm
  /** Whether a savepoint can be undone on its own. */
  readonly savepoints: boolean
  /** Where its operations are counted: `fastify.orm.newFlow()`. */
  readonly flow: FlowStatistics
  /** Called once by svc-orm's `onReady`, before the driver's own connects: every entity of this connector. */
  prepare(entities: readonly CompiledEntity[]): void
  /** What keeps the rows of an entity, as the database calls it. Absent: `entity.table`. */
  storedAs?(entity: CompiledEntity): string
  /** Called once per entity, after `prepare`, and kept; the connection may not be open yet. */
  repository(entity: CompiledEntity): Repository
  /** Levels that it keeps, as such or stronger; others are refused before it is asked. Default: all. */
  readonly isolations?: readonly Isolation[]
  /** Opens a transaction around `work`; a conflict may make a driver run `work` again. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Pings the database; never rejects. */
  health(): Promise<ConnectionHealth>
  /**
   * Drops what was declared for this database, tables and rows, and makes it anew. For development alone: whoever calls
   * it has asked. Absent: the driver cannot, or keeps nothing.
   *
   * @returns names of what was dropped, as the database has them
   */
  reset?(): Promise<readonly string[]>
  /** Reads a class of the driver's own world as a definition. Absent: the driver knows none. */
  describeNative?(model: NativeClass): EntityDefinition
}
