/** `fastify.orm`: connectors by name, and a repository per entity and connector, made once when the application boots. */
import { type AppHost, BootError, type Clock } from 'svc-kernel'
import { beginTransaction, type OpenTransaction, type Transaction, type TransactionOptions } from 'svc-stores/table'
import type { Criteria } from '../criteria/criteria.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { Declared } from '../entities/entities.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import { DuplicateConnector, LateConnector, NotReady, UnknownConnector } from '../errors.ts'
import { type CheckedReference, checkReferences, repairReferences } from '../integrity/check-references.ts'
import { type CheckedTree, checkTrees, repairTrees } from '../integrity/check-trees.ts'
import type { HeldLock } from '../locks/lease.ts'
import type { LockOptions } from '../locks/lock-options.ts'
import { type ListedLock, Locks } from '../locks/locks.ts'
import { Migrations } from '../migrations/migrations.ts'
import { checkedTransactions } from '../references/deferred-checks.ts'
import { EntityRepositories, type OrmConnector, readTransactionOptions } from '../repository/entity-repositories.ts'
import { type FlowSettings, FlowStatistics } from '../repository/flow-statistics.ts'
import type { Repository } from '../repository/repository.ts'
import type { StickyReads } from '../repository/sticky-reads.ts'
import type { DriftPolicy } from '../schema/drift.ts'
import type { CallerScopes, ScopeValues } from '../scope/caller-scopes.ts'
import { readReason } from '../scope/crossing.ts'
import { keyProblems } from '../sealed/open-sealing.ts'
import { countSealed, type SealedField, sealRows } from '../sealed/seal-rows.ts'
import type { SealedEntities } from '../sealed/sealed-entities.ts'
import type { SealedUnder, Sealing } from '../sealed/sealing.ts'
import { Seeds } from '../seeds/seeds.ts'
import type { EntityTables, SlowStatements } from '../statements/slow-statements.ts'
import { assignEntities } from './assign-entities.ts'
import type { OrmPort } from './orm-port.ts'

export interface OrmRegistryParts {
  readonly flow: FlowSettings
  readonly drift: DriftPolicy
  /** Absolute. */
  readonly folders: { readonly migrations: string; readonly seeds: string }
  readonly host: Pick<AppHost, 'importModule'>
  /** For the timestamps of rows, and the leases of locks. */
  readonly clock: Clock
  /** What others are told of this instance when it holds a lock. */
  readonly instance: string
  /** Who reads from replicas. Default: nobody. */
  readonly sticky?: StickyReads
  /** Of the slow operations. Default: not known. */
  readonly statements?: Pick<SlowStatements, 'ofOperation'>
  /** `null`: no key is configured. */
  readonly sealing: Sealing | null
  readonly scopes: CallerScopes
  /** Work runs across scopes. */
  readonly onCrossing: (reason: string) => void
}

interface Registered {
  readonly connector: OrmConnector
  readonly locks: Locks
  readonly flow: FlowStatistics
  /** `null` until the application boots. */
  repositories: EntityRepositories | null
}

export class OrmRegistry implements OrmPort {
  readonly drift: DriftPolicy
  readonly migrations: Migrations
  readonly seeds: Seeds
  readonly #parts: OrmRegistryParts
  readonly #registered = new Map<string, Registered>()
  #isOpen = false

  constructor(parts: OrmRegistryParts) {
    this.#parts = parts
    this.drift = parts.drift
    this.migrations = new Migrations({
      folder: parts.folders.migrations,
      clock: parts.clock,
      connectors: () => this.connectors(),
      entities: (connector) => this.entities(connector)
    })
    this.seeds = new Seeds({
      folder: parts.folders.seeds,
      clock: parts.clock,
      host: parts.host,
      connectors: () => this.connectors(),
      scopes: parts.scopes,
      repository: (entity, connector) => open(this.#named(connector)).repository(entity)
    })
  }

  addConnector(connector: OrmConnector): void {
    if (this.#isOpen) throw new LateConnector(connector.name)
    if (this.#registered.has(connector.name)) throw new DuplicateConnector(connector.name)
    const { flow: settings, clock, instance, statements } = this.#parts
    const flow = new FlowStatistics(settings, (...ended) => statements?.ofOperation(connector.name, ...ended))
    const locks = new Locks({ database: connector, clock, holder: instance })
    this.#registered.set(connector.name, { connector, locks, flow, repositories: null })
  }

  checkReferences(connector?: string): Promise<readonly CheckedReference[]> {
    return this.#ofEach(connector, checkReferences)
  }

  repairReferences(connector?: string): Promise<readonly CheckedReference[]> {
    return this.#ofEach(connector, repairReferences)
  }

  checkTrees(connector?: string): Promise<readonly CheckedTree[]> {
    return this.#ofEach(connector, checkTrees)
  }

  repairTrees(connector?: string): Promise<readonly CheckedTree[]> {
    return this.#ofEach(connector, repairTrees)
  }

  connectors(): readonly OrmConnector[] {
    return [...this.#registered.values()].map(({ connector }) => connector)
  }

  flow(connector?: string): FlowStatistics {
    return this.#named(connector).flow
  }

  entities(connector?: string): readonly CompiledEntity[] {
    const asked = connector === undefined ? [...this.#registered.values()] : [this.#named(connector)]
    return asked.flatMap((each) => open(each).entities)
  }

  /** One signature behind those of the port: rows are as their entity declares them. */
  repository<Row extends { id: string }, New = Partial<Row>, Key = Criteria<Row>>(
    entity: string | EntityDefinition,
    connector?: string
  ): Repository<Row, New, Key> {
    const repositories = open(this.#named(connector))
    const name = typeof entity === 'string' ? entity : entity.name
    return repositories.repository(name) as unknown as Repository<Row, New, Key>
  }

  async transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    given?: string | TransactionOptions,
    options?: TransactionOptions
  ): Promise<T> {
    const opening = this.#opening(given, options)
    return checkedTransactions(opening.connector).transaction(work, opening.options)
  }

  async begin(given?: string | TransactionOptions, options?: TransactionOptions): Promise<OpenTransaction> {
    const opening = this.#opening(given, options)
    return beginTransaction(checkedTransactions(opening.connector), opening.options)
  }

  onReplicas<T>(work: () => T): T {
    return this.#parts.sticky === undefined ? work() : this.#parts.sticky.run(work)
  }

  wrote(connector?: string): void {
    this.#named(connector).repositories?.wrote()
  }

  /** Whether an entity is read from replicas; from `onReady` on. */
  get hasReplicas(): boolean {
    return [...this.#registered.values()].some(({ repositories }) => repositories?.hasReplicas === true)
  }

  async lock<T>(name: string, work: (held: HeldLock) => T | Promise<T>, options?: LockOptions): Promise<T> {
    const registered = this.#named(options?.connector)
    open(registered)
    return registered.locks.hold(name, work, options)
  }

  withScope<T>(scopes: ScopeValues, work: () => T): T {
    return this.#parts.scopes.with(scopes, work)
  }

  acrossScopes<T>(reason: string, work: () => T): T {
    this.#parts.onCrossing(readReason(reason))
    return this.#parts.scopes.across(work)
  }

  async heldLocks(connector?: string): Promise<readonly ListedLock[]> {
    return this.#named(connector).locks.list()
  }

  async seal(isStopped: () => boolean = () => false): Promise<readonly SealedField[]> {
    const done: SealedField[] = []
    for (const sealed of this.#sealedEntities()) {
      done.push(...(await sealed.across(() => sealRows(sealed, isStopped))))
    }
    return done
  }

  /** How many values of sealed fields rest under which key. */
  async countSealed(): Promise<Readonly<Record<SealedUnder, number>>> {
    const counts = { first: 0, former: 0, plain: 0, unreadable: 0 }
    for (const sealed of this.#sealedEntities()) {
      const found = await sealed.across(() => countSealed(sealed))
      for (const under of ['first', 'former', 'plain', 'unreadable'] as const) counts[under] += found[under]
    }
    return counts
  }

  #sealedEntities(): SealedEntities[] {
    return [...this.#registered.values()].map((each) => open(each).sealed).filter((sealed) => sealed !== null)
  }

  /** For the shutdown, while the databases are open. */
  async close(): Promise<void> {
    await Promise.all([...this.#registered.values()].map(({ locks }) => locks.close()))
  }

  /** Compiles what was declared and declares its tables. @throws BootError */
  open(declared: readonly Declared[]): void {
    const { byConnector, problems } = assignEntities(declared, this.connectors())
    const { clock, sealing, scopes, sticky } = this.#parts
    const all = sealing === null ? [...problems, ...keyProblems([...byConnector.values()].flat())] : problems
    if (all.length > 0) throw new BootError(all)
    for (const registered of this.#registered.values()) {
      const { connector: database, flow } = registered
      const entities = byConnector.get(database) ?? []
      const parts = { database, entities, flow, clock, sealing, scopes, ...(sticky && { sticky }) }
      registered.repositories = new EntityRepositories(parts)
    }
    this.#isOpen = true
  }

  /** From `onReady` on. */
  get entityTables(): EntityTables {
    const tables = [...this.#registered.values()].map((registered) => {
      const { connector } = registered
      const named = open(registered).entities.map(
        (entity) => [connector.storedAs(entityPlan(entity)), entity.name] as const
      )
      return [connector.name, new Map(named)] as const
    })
    return new Map(tables)
  }

  #opening(
    given: string | TransactionOptions | undefined,
    options: TransactionOptions | undefined
  ): {
    readonly connector: OrmConnector
    readonly options: TransactionOptions
  } {
    const isName = typeof given !== 'object'
    const { connector, repositories } = this.#named(isName ? given : undefined)
    repositories?.wrote()
    return {
      connector,
      options: readTransactionOptions(connector, isName ? options : given)
    }
  }

  async #ofEach<T>(
    connector: string | undefined,
    work: (repositories: EntityRepositories) => Promise<readonly T[]>
  ): Promise<readonly T[]> {
    const asked = connector === undefined ? [...this.#registered.values()] : [this.#named(connector)]
    const found: T[] = []
    for (const each of asked) found.push(...(await work(open(each))))
    return found
  }

  #named(name: string | undefined): Registered {
    const [first] = this.#registered.values()
    const found = name === undefined ? first : this.#registered.get(name)
    if (found !== undefined) return found
    throw new UnknownConnector(name ?? 'default', [...this.#registered.keys()].join(', ') || 'none')
  }
}

/** @throws NotReady */
function open({ repositories }: Registered): EntityRepositories {
  if (repositories === null) throw new NotReady()
  return repositories
}
