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
  UnknownEntity
} from 'svc-orm'
import type { IdForm } from 'svc-stores/table'
import { checkNames } from '../schema/check-names.ts'
import type { SqlDatabase } from '../sql-database.ts'
import { entityPlan, TableGateway } from './entity-gateway.ts'

export interface SqlConnectorParts {
  readonly database: SqlDatabase
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
  readonly ids: IdForm
  readonly flow: FlowStatistics
  readonly clock: Clock
  readonly #database: SqlDatabase
  readonly #served = new Map<string, Served>()

  constructor({ database, clock, flow }: SqlConnectorParts) {
    this.name = database.name
    this.vendor = database.vendor
    this.ids = database.ids
    this.flow = flow
    this.clock = clock
    this.#database = database
  }

  get connection(): ConnectionFacts {
    return this.#database.connection
  }

  get connected(): boolean {
    return this.#database.connected
  }

  prepare(entities: readonly CompiledEntity[]): void {
    checkNames(entities)
    for (const entity of entities) {
      const gateway = new TableGateway(this.#database.table(entityPlan(entity)))
      this.#served.set(entity.name, { entity, gateway })
    }
  }

  repository(entity: CompiledEntity): Repository {
    return new PortableRepository(entity, this)
  }

  gateway(entity: string): Served {
    const found = this.#served.get(entity)
    if (found === undefined) throw new UnknownEntity(entity)
    return found
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#database.transaction(work, options)
  }

  /** Every table that was declared for the database, those of stores included. */
  reset(): Promise<readonly string[]> {
    return this.#database.reset()
  }

  async health(): Promise<ConnectionHealth> {
    return { ...(await this.#database.health()), latency: this.flow.latency() }
  }
}
