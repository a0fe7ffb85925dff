/** One SQL database in the registry of svc-orm: its entities, transactions and health. */
import type { Clock } from 'svc-kernel'
import {
  type CompiledEntity,
  type ConnectionFacts,
  type ConnectionHealth,
  type EntityGateway,
  type FlowStatistics,
  type OrmConnector,
  PortableRepository,
  type Repository,
  type RepositoryHost,
  type Transaction,
  type TransactionOptions,
  UnknownEntity,
  UuidIds
} from 'svc-orm'
import type { SqlDatabase } from '../connection/sql-database.ts'
import { type EntityColumn, entityColumns, rowReader } from '../gateway/entity-columns.ts'
import { EntityStatements } from '../gateway/entity-statements.ts'
import { type EntityStorage, SqlGateway } from '../gateway/sql-gateway.ts'
import { checkNames } from '../schema/check-names.ts'
import { entityTable } from '../schema/entity-table.ts'
import { connectionRunner } from './connection-runner.ts'
import { SqlTransaction } from './sql-transaction.ts'

export interface SqlConnectorParts {
  readonly database: SqlDatabase
  /** Without credentials. */
  readonly target: string
  readonly clock: Clock
  readonly flow: FlowStatistics
}

interface Served {
  readonly entity: CompiledEntity
  readonly gateway: EntityGateway
}

export class SqlConnector implements OrmConnector, RepositoryHost {
  readonly name: string
  readonly vendor: string
  readonly savepoints = true
  readonly ids: UuidIds
  readonly flow: FlowStatistics
  readonly clock: Clock
  readonly #database: SqlDatabase
  readonly #target: string
  readonly #served = new Map<string, Served>()

  constructor({ database, target, clock, flow }: SqlConnectorParts) {
    this.name = database.name
    this.vendor = database.engine.vendor
    this.ids = new UuidIds(clock)
    this.flow = flow
    this.clock = clock
    this.#database = database
    this.#target = target
  }

  get connection(): ConnectionFacts {
    return { driver: this.#database.engine.driver, target: this.#target, version: this.#database.version }
  }

  get connected(): boolean {
    return this.#database.connected
  }

  prepare(entities: readonly CompiledEntity[]): void {
    checkNames(entities)
    const database = this.#database
    const runner = connectionRunner(database)
    const join = (tx: Transaction) => SqlTransaction.of(tx, database)
    for (const entity of entities) {
      const columns = entityColumns(entity, database.engine)
      database.declare(entityTable(entity, columns))
      const storage = { current: this.#storage(entity, columns, new Set()) }
      this.#served.set(entity.name, { entity, gateway: new SqlGateway({ entity, storage, runner, join }) })
      database.whenOpen(() => {
        const absent = columns.filter(({ name }) => database.isMissing(entity.table, name))
        storage.current = this.#storage(entity, columns, new Set(absent.map(({ name }) => name)))
      })
    }
  }

  repository(entity: CompiledEntity): Repository {
    return new PortableRepository(entity, this)
  }

  gateway(entity: string): { readonly entity: CompiledEntity; readonly gateway: EntityGateway } {
    const found = this.#served.get(entity)
    if (found === undefined) throw new UnknownEntity(entity)
    return found
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return SqlTransaction.run(this.#database, work, options)
  }

  /** Every table that was declared for the database, those of stores included. */
  reset(): Promise<readonly string[]> {
    return this.#database.reset()
  }

  async health(): Promise<ConnectionHealth> {
    const pingMs = await this.#database.ping()
    return this.#database.health(this.flow.latency(), pingMs)
  }

  #storage(entity: CompiledEntity, columns: readonly EntityColumn[], missing: ReadonlySet<string>): EntityStorage {
    const there = columns.filter(({ name }) => !missing.has(name))
    const { engine, native } = this.#database
    return {
      statements: new EntityStatements(entity, there, engine, native),
      read: rowReader(columns, missing),
      missing
    }
  }
}
