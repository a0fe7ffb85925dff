/** `fastify.orm`: connectors by name, and a repository per entity and connector, made once when the application boots. */
import { BootError } from 'svc-kernel'
import type { Transaction, TransactionOptions } from 'svc-stores/table'
import type { Criteria } from '../criteria/criteria.ts'
import type { OrmConnector } from '../driver/orm-connector.ts'
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import type { Declared } from '../entity/declared.ts'
import type { EntityDefinition } from '../entity/entity-definition.ts'
import { DuplicateConnector, LateConnector, NotReady, UnknownConnector, UnknownEntity } from '../errors.ts'
import type { Repository } from '../repository/repository.ts'
import { readTransactionOptions } from '../repository/transaction-options.ts'
import { type FlowSettings, FlowStatistics } from '../statistics/flow-statistics.ts'
import { assignEntities } from './assign-entities.ts'
import type { OrmPort } from './orm-port.ts'

interface Kept {
  readonly entity: CompiledEntity
  readonly repository: Repository
}

export class OrmRegistry implements OrmPort {
  readonly #flow: FlowSettings
  readonly #connectors = new Map<string, OrmConnector>()
  /** By connector, then by entity; `null` until the application boots. */
  #kept: ReadonlyMap<string, ReadonlyMap<string, Kept>> | null = null

  constructor(flow: FlowSettings) {
    this.#flow = flow
  }

  addConnector(connector: OrmConnector): void {
    if (this.#kept !== null) throw new LateConnector(connector.name)
    if (this.#connectors.has(connector.name)) throw new DuplicateConnector(connector.name)
    this.#connectors.set(connector.name, connector)
  }

  newFlow(): FlowStatistics {
    return new FlowStatistics(this.#flow)
  }

  connectors(): readonly OrmConnector[] {
    return [...this.#connectors.values()]
  }

  entities(connector?: string): readonly CompiledEntity[] {
    const names = connector === undefined ? [...this.#connectors.keys()] : [this.#connector(connector).name]
    return names.flatMap((name) => [...this.#entitiesOf(name).values()].map(({ entity }) => entity))
  }

  /** One signature behind those of the port: rows are as their entity declares them. */
  repository<Row extends { id: string }, New = Partial<Row>, Key = Criteria<Row>>(
    entity: string | EntityDefinition,
    connector?: string
  ): Repository<Row, New, Key> {
    const name = typeof entity === 'string' ? entity : entity.name
    const kept = this.#entitiesOf(this.#connector(connector).name).get(name)
    if (kept === undefined) throw new UnknownEntity(name)
    return kept.repository as unknown as Repository<Row, New, Key>
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    given?: string | TransactionOptions,
    options?: TransactionOptions
  ): Promise<T> {
    const connector = this.#connector(typeof given === 'object' ? undefined : given)
    const asked = readTransactionOptions(connector, typeof given === 'object' ? given : options)
    return connector.transaction(work, asked)
  }

  /** Compiles what was declared and hands it to the connectors. @throws BootError */
  open(declared: readonly Declared[]): void {
    const { byConnector, problems } = assignEntities(declared, this.connectors())
    if (problems.length > 0) throw new BootError(problems)
    this.#kept = new Map([...byConnector].map(([connector, entities]) => [connector.name, keep(connector, entities)]))
  }

  #entitiesOf(connector: string): ReadonlyMap<string, Kept> {
    if (this.#kept === null) throw new NotReady()
    return this.#kept.get(connector) ?? new Map()
  }

  #connector(name: string | undefined): OrmConnector {
    const [first] = this.#connectors.values()
    const found = name === undefined ? first : this.#connectors.get(name)
    if (found !== undefined) return found
    throw new UnknownConnector(name ?? 'default', [...this.#connectors.keys()].join(', ') || 'none')
  }
}

function keep(connector: OrmConnector, entities: readonly CompiledEntity[]): ReadonlyMap<string, Kept> {
  connector.prepare(entities)
  return new Map(entities.map((entity) => [entity.name, { entity, repository: connector.repository(entity) }]))
}
