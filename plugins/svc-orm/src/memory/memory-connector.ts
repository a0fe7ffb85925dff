/**
 * The memory driver: rows of this process, gone with it. It is what the other
 * drivers are compared with, and it is enough for tests and for first steps.
 */
import { type Clock, systemClock } from 'svc-kernel'
import type { Transaction, TransactionOptions } from 'svc-stores/table'
import { runWork, UuidIds } from 'svc-stores/table'
import type { ConnectionHealth } from '../driver/connection-health.ts'
import type { EntityGateway } from '../driver/entity-gateway.ts'
import type { OrmConnector } from '../driver/orm-connector.ts'
import type { RepositoryHost } from '../driver/repository-host.ts'
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import { TransactionConflict, UnknownEntity } from '../errors.ts'
import { PortableRepository } from '../repository/portable-repository.ts'
import type { Repository } from '../repository/repository.ts'
import { FlowStatistics } from '../statistics/flow-statistics.ts'
import { CommittedTables } from './committed-tables.ts'
import { MemoryGateway } from './memory-gateway.ts'
import { MemoryTransaction } from './memory-transaction.ts'

/** As often a transaction is tried before its conflict is told. */
const ATTEMPTS = 100

export interface MemoryConnectorParts {
  /** Default `memory`. */
  readonly name?: string
  readonly clock?: Pick<Clock, 'now'>
  readonly flow?: FlowStatistics
}

/** A connector that keeps rows in memory, with transactions and savepoints. */
export function memoryConnector(parts: MemoryConnectorParts = {}): OrmConnector {
  return new MemoryConnector(parts)
}

class MemoryConnector implements OrmConnector, RepositoryHost {
  readonly name: string
  readonly vendor = 'memory'
  readonly connection = { driver: 'svc-orm', target: 'memory', version: null }
  readonly savepoints = true
  readonly ids: UuidIds
  readonly flow: FlowStatistics
  readonly clock: Pick<Clock, 'now'>
  readonly #transactions = new WeakSet<Transaction>()
  readonly #gateways = new Map<string, { entity: CompiledEntity; gateway: EntityGateway }>()
  #committed = new CommittedTables([])
  #connectedSince: number | null = null

  constructor({ name = 'memory', clock = systemClock, flow }: MemoryConnectorParts) {
    this.name = name
    this.clock = clock
    this.ids = new UuidIds(clock)
    this.flow = flow ?? new FlowStatistics({ enabled: true, slowMs: 100 })
  }

  get connected(): boolean {
    return this.#connectedSince !== null
  }

  prepare(entities: readonly CompiledEntity[]): void {
    const committed = new CommittedTables(entities)
    const within = (tx: Transaction) => MemoryTransaction.of(tx, this.name, this.#transactions)
    for (const entity of entities) {
      this.#gateways.set(entity.name, { entity, gateway: new MemoryGateway(entity.name, committed, within) })
    }
    this.#committed = committed
    this.#connectedSince = this.clock.now()
  }

  repository(entity: CompiledEntity): Repository {
    return new PortableRepository(entity, this)
  }

  gateway(entity: string): { readonly entity: CompiledEntity; readonly gateway: EntityGateway } {
    const found = this.#gateways.get(entity)
    if (found === undefined) throw new UnknownEntity(entity)
    return found
  }

  /** Whoever changes a row first wins; the other is run again on what stands then. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, { isolation }: TransactionOptions = {}): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const tx = new MemoryTransaction(this.name, this.#committed, isolation === 'serializable')
      this.#transactions.add(tx)
      try {
        const result = await runWork(tx, work)
        tx.commit(this.#committed)
        return result
      } catch (error) {
        tx.rollBack()
        if (!(error instanceof TransactionConflict) || attempt === ATTEMPTS) throw error
      }
    }
  }

  async health(): Promise<ConnectionHealth> {
    return {
      connected: this.connected,
      connectedSince: this.#connectedSince,
      connectCount: this.connected ? 1 : 0,
      reconnectCount: 0,
      errorCount: 0,
      lastError: null,
      pingMs: this.connected ? 0 : null,
      latency: this.flow.latency(),
      pool: null
    }
  }
}
