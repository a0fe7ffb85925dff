/**
 * The entities of one database: a table of the storage port and a repository for each, and the statistics of their
 * operations. Made before the database connects, so that it knows its tables by then.
 */
import { type Clock, systemClock } from 'svc-kernel'
import {
  type Database,
  ISOLATIONS,
  isRecord,
  type Table,
  type Transaction,
  type TransactionOptions
} from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { NativeClass } from '../entities/entities.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { InvalidFindOptions, UnknownEntity } from '../errors.ts'
import type { MigrationPort } from '../migrations/migration-port.ts'
import { checkedTable } from '../references/checked-table.ts'
import { checkedTransactions } from '../references/deferred-checks.ts'
import { type Referrer, type Referrers, referrersOf } from '../references/referrers.ts'
import type { SchemaPort } from '../schema/drift.ts'
import { CallerScopes } from '../scope/caller-scopes.ts'
import { EntityScopes } from '../scope/entity-scopes.ts'
import { ScopedTable } from '../scope/scoped-table.ts'
import { addSealed, hasSealed, type SealedEntities, type SealedEntity } from '../sealed/sealed-entities.ts'
import { SealedTable } from '../sealed/sealed-table.ts'
import type { Sealing } from '../sealed/sealing.ts'
import { treeTable } from '../trees/tree-table.ts'
import { EntityWrites } from './entity-writes.ts'
import { type FieldMappings, fieldMappings } from './field-mapping.ts'
import { FlowStatistics } from './flow-statistics.ts'
import { foldedTable } from './folded-table.ts'
import { MappedTable } from './mapped-table.ts'
import { PortableRepository } from './portable-repository.ts'
import type { Repository } from './repository.ts'
import type { RepositoryHost } from './repository-host.ts'
import { codedTable, rowCodec } from './row-codec.ts'
import type { StickyReads } from './sticky-reads.ts'

/** What a driver registers with `fastify.orm.addConnector`: a database of the storage port. */
export interface OrmConnector extends Database {
  /** Reads a class of the driver's own world as a definition. Absent: the driver knows none. */
  describeNative?(model: NativeClass): EntityDefinition
  /** The time of its server, epoch ms. Absent: the driver does not know it. @throws as a read does */
  now?(): Promise<number>
  /** How it stands beside what is declared. Absent: the driver keeps no schema. */
  readonly schema?: SchemaPort
  /** Absent: the driver keeps no schema that has to be migrated. */
  readonly migrations?: MigrationPort
  /**
   * Takes all of its entities, before their tables are declared. @param scopes of their callers
   *
   * @throws BootError for those that it cannot keep
   */
  acceptEntities?(entities: readonly CompiledEntity[], scopes: CallerScopes): void
}

export interface EntityRepositoriesParts {
  readonly database: OrmConnector
  readonly entities: readonly CompiledEntity[]
  /** Default: counts, and lists what takes 100 ms as slow. */
  readonly flow?: FlowStatistics
  /** For the timestamps of rows. */
  readonly clock?: Pick<Clock, 'now'>
  /** Who reads from replicas of the database. Default: nobody. */
  readonly sticky?: StickyReads
  /** For sealed fields. Absent: no entity has any. */
  readonly sealing?: Sealing | null
  /** Of the callers. Default: those that `scopes.with` enters. */
  readonly scopes?: CallerScopes
}

interface Kept {
  readonly entity: CompiledEntity
  readonly table: Table<AnyRow>
  /** With the rows of all scopes. */
  readonly whole: Table<AnyRow>
  /** `null`: the primary answers everything. */
  readonly replica: Table<AnyRow> | null
  readonly repository: Repository
}

const NO_REFERRERS: readonly Referrer[] = []

export class EntityRepositories implements RepositoryHost {
  readonly database: OrmConnector
  readonly flow: FlowStatistics
  readonly clock: Pick<Clock, 'now'>
  readonly entities: readonly CompiledEntity[]
  readonly scopes: EntityScopes
  readonly #sticky: StickyReads | null
  readonly #kept: ReadonlyMap<string, Kept>
  readonly #referrers: Referrers
  readonly #sealed: SealedEntities | null

  /** Declares the tables. @throws BootError */
  constructor({
    database,
    entities,
    flow,
    clock = systemClock,
    sticky,
    sealing = null,
    scopes = new CallerScopes()
  }: EntityRepositoriesParts) {
    this.database = database
    this.entities = entities
    this.flow = flow ?? new FlowStatistics({ enabled: true, slowMs: 100 })
    this.clock = clock
    this.scopes = new EntityScopes(entities, scopes)
    database.acceptEntities?.(entities, scopes)
    this.#referrers = referrersOf(entities)
    const mappings = fieldMappings(entities)
    this.#sealed =
      sealing === null || !entities.some(hasSealed)
        ? null
        : { sealing, across: (work) => scopes.across(work), byPlan: new Map() }
    this.#kept = new Map(entities.map((entity) => [entity.name, this.#keep(entity, mappings)]))
    // Without replicas nothing is remembered of who wrote.
    this.#sticky = this.hasReplicas ? (sticky ?? null) : null
  }

  get hasReplicas(): boolean {
    return [...this.#kept.values()].some(({ replica }) => replica !== null)
  }

  /** @throws UnknownEntity */
  repository(entity: string): Repository {
    return this.#named(entity).repository
  }

  /** @throws UnknownEntity */
  entity(name: string): CompiledEntity {
    return this.#named(name).entity
  }

  /** @throws UnknownEntity */
  table(entity: string): Table<AnyRow> {
    return this.#named(entity).table
  }

  /** @throws UnknownEntity */
  whole(entity: string, tx: Transaction | null): Table<AnyRow> {
    const { whole } = this.#named(entity)
    return tx === null ? whole : whole.within(tx)
  }

  /** @throws UnknownEntity */
  writes(entity: string, tx: Transaction | null): EntityWrites {
    return new EntityWrites(this.entity(entity), this, this.whole(entity, tx), tx)
  }

  referrers(entity: string): readonly Referrer[] {
    return this.#referrers.get(entity) ?? NO_REFERRERS
  }

  readTable(entity: string): Table<AnyRow> {
    const { table, replica } = this.#named(entity)
    return replica === null || this.#sticky?.needsPrimary !== false ? table : replica
  }

  wrote(): void {
    this.#sticky?.wrote()
  }

  /** What `fastify.orm.seal` and the counts of secrets work on; `null` where no field is sealed. */
  get sealed(): SealedEntities | null {
    return this.#sealed
  }

  /** @throws InvalidFindOptions */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, options?: unknown): Promise<T> {
    this.wrote()
    return checkedTransactions(this.database).transaction(work, readTransactionOptions(this.database, options))
  }

  #keep(entity: CompiledEntity, mappings: FieldMappings | null): Kept {
    const plan = entityPlan(entity)
    const stored = this.#stored(entity, this.database.table<AnyRow>(plan), mappings)
    const sealed = this.#sealed === null ? null : addSealed(this.#sealed, entity, stored)
    const rows = this.#asRows(entity, stored, sealed)
    const { references = false } = this.database
    const held = references ? rows : checkedTable(rows, entity, (name, tx) => this.whole(name, tx))
    const whole = treeTable(held, entity, this.database)
    const table = this.#inScope(entity, whole)
    const copy = this.database.replicaTable?.<AnyRow>(plan) ?? null
    const read = copy === null ? null : this.#asRows(entity, this.#stored(entity, copy, mappings), sealed)
    const replica = read === null ? null : this.#inScope(entity, read)
    return { entity, table, whole, replica, repository: new PortableRepository(entity, this, table, null, { replica }) }
  }

  #stored(entity: CompiledEntity, table: Table<AnyRow>, mappings: FieldMappings | null): Table<AnyRow> {
    const mapping = mappings?.get(entityPlan(entity))
    const isMapped = mappings !== null && mapping !== undefined
    return foldedTable(isMapped ? new MappedTable(table, mapping, mappings, this.database.ids) : table, entity)
  }

  /** Conditions reach through relations into other tables, so where one entity has sealed fields, all tables are seen so. */
  #asRows(entity: CompiledEntity, stored: Table<AnyRow>, sealed: SealedEntity | null): Table<AnyRow> {
    const { ids } = this.database
    const opened = this.#sealed === null ? stored : new SealedTable(stored, sealed, this.#sealed, ids)
    const codec = rowCodec(entity)
    return codec === null ? opened : codedTable(opened, codec)
  }

  #inScope(entity: CompiledEntity, whole: Table<AnyRow>): Table<AnyRow> {
    const { scopes } = this
    return scopes.isEmpty ? whole : new ScopedTable(whole, scopes.of(entityPlan(entity)), scopes, this.database.ids)
  }

  #named(entity: string): Kept {
    const found = this.#kept.get(entity)
    if (found === undefined) throw new UnknownEntity(entity)
    return found
  }
}

/** What the database cannot keep is refused, never ignored. @throws InvalidFindOptions */
export function readTransactionOptions(
  { name, isolations = ISOLATIONS }: Database,
  options: unknown
): TransactionOptions {
  if (options === undefined) return {}
  if (!isRecord(options)) throw new InvalidFindOptions('options of a transaction', 'an object')
  const { isolation, retry, ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new InvalidFindOptions(unknown, 'isolation or retry, the options of a transaction')
  if (retry !== undefined && typeof retry !== 'boolean') throw new InvalidFindOptions('retry', 'true or false')
  const again = retry !== undefined && { retry }
  if (isolation === undefined) return { ...again }
  const known = isolations.find((each) => each === isolation)
  if (known !== undefined) return { isolation: known, ...again }
  const way = isolation === 'serializable' ? '; lock what is read instead: find(criteria, { lock: "update" })' : ''
  throw new InvalidFindOptions('isolation', `${isolations.join(', ')}, all that connector ${name} has${way}`)
}
