/** A document database of the storage port: tables by their plans, each with its native model, transactions and health. */
import { isDeepStrictEqual } from 'node:util'
import type { Db, Document } from 'mongodb'
import type { Model } from 'mongoose'
import type { EntityDefinition } from 'svc-orm'
import type {
  CallerScopes,
  CompiledEntity,
  Difference,
  DriftPolicy,
  MigrationPort,
  NativeClass,
  OrmConnector,
  SchemaPort,
  StandingTable
} from 'svc-orm/driver'
import { refuseDrift } from 'svc-orm/driver'
import type {
  ConnectionFacts,
  ConnectionHealth,
  Table,
  TablePlan,
  Transaction,
  TransactionOptions
} from 'svc-stores/table'
import type { DocumentConnection } from './connection/document-connection.ts'
import { DocumentMigrations } from './migrations/document-migrations.ts'
import { EntityModels } from './models/entity-models.ts'
import { tellAbsentMethods } from './schema/absent-methods.ts'
import { uniqueIndexes } from './schema/collection-indexes.ts'
import { documentDrift, renamedCollections } from './schema/document-drift.ts'
import { standingCollections } from './schema/standing-collections.ts'
import { type DocumentAccess, DriverAccess } from './table/document-access.ts'
import { DocumentColumns, objectIds } from './table/document-columns.ts'
import { DocumentTable } from './table/document-table.ts'
import { watchedAccess } from './table/watched-access.ts'
import { runTransaction } from './transactions/document-transaction.ts'
import { OperationRunner } from './transactions/operation-runner.ts'

export class DocumentDatabase implements OrmConnector {
  readonly name: string
  readonly vendor = 'mongodb'
  readonly savepoints = false
  readonly search = true
  /** A server on its own has none. */
  readonly cheapTransactions = false
  /** Transactions have a snapshot; what they only read, others may change. */
  readonly isolations = ['read committed', 'repeatable read'] as const
  readonly ids = objectIds
  readonly document: DocumentConnection
  readonly #native: boolean
  readonly #drift: DriftPolicy
  readonly #models: EntityModels
  /** Names of entities: what stores keep is theirs to look after. */
  readonly #entities = new Set<string>()
  /** By name and collection: an entity may have the table of a store, as its collection is another one. */
  readonly #tables = new Map<string, DocumentTable<object>>()

  /**
   * @param native `false`: without models and indexes, and so without listings in an order
   * @param drift what becomes of documents that differ from what is declared
   */
  constructor(connection: DocumentConnection, native = true, drift: DriftPolicy = 'warn') {
    this.#drift = drift
    this.name = connection.name
    this.document = connection
    this.#native = native
    this.#models = new EntityModels(connection)
  }

  get schema(): SchemaPort {
    return { differences: () => this.#differences(), standing: (plans) => this.#standing(plans) }
  }

  get migrations(): MigrationPort {
    const collectionOf = (entity: string) => this.document.mongoose.models[entity]?.collection.collectionName ?? entity
    return new DocumentMigrations({ connection: this.document, collectionOf })
  }

  get connection(): ConnectionFacts {
    const { target, facts } = this.document
    return { driver: 'mongoose', target: target.shown, version: facts?.version ?? null }
  }

  get connected(): boolean {
    return this.document.connected
  }

  get transactions(): boolean {
    return this.document.facts?.transactions !== false
  }

  get closing(): boolean {
    return this.document.closing
  }

  /** A Typegoose class. */
  describeNative(model: NativeClass): EntityDefinition {
    return this.#models.describe(model)
  }

  /** @throws BootError (SVC_DOCDB_NAME, SVC_DOCDB_KEY) */
  acceptEntities(entities: readonly CompiledEntity[], scopes: CallerScopes): void {
    this.document.access.accept(entities, scopes)
    this.#models.accept(entities)
    for (const { name } of entities) this.#entities.add(name)
    tellAbsentMethods(entities, this.document)
    if (entities.some(({ was }) => was !== undefined)) {
      this.document.beforeIndexes(async (db) => refuseDrift(await this.#renamed(db), 'refuse'))
    }
    if (this.#drift === 'refuse') {
      this.document.beforeIndexes(async (db) => refuseDrift(await this.#found(db), 'refuse'))
    }
  }

  /** The compiled Mongoose model of an entity. @throws UnknownModel */
  model(entity: string): Model<Document> {
    return this.#models.model(entity)
  }

  /** @throws TypeError for indexes once the connection opens, or where another plan has the name and the collection */
  table<Row extends object>(plan: TablePlan): Table<Row> {
    const known = this.#table(plan)
    if (!isDeepStrictEqual(known.plan, plan)) throw new TypeError(`table ${plan.name} is declared twice`)
    return known as unknown as Table<Row>
  }

  /** Reads go where `readPreference` of the URI says; `null` where that is the primary. */
  replicaTable<Row extends object>(plan: TablePlan): Table<Row> | null {
    const { client, target, mongoose: native } = this.document
    if (client.readPreference.mode === 'primary') return null
    const view = this.#native ? this.#models.view(plan) : null
    const model = view === null ? undefined : native.models[view.model]
    const access =
      view?.access === undefined || model === undefined
        ? new DriverAccess(client.db(target.database).collection(collectionOf(plan)))
        : view.access(model, {})
    const table = this.#table(plan).readingBy(watchedAccess(access, this.name, collectionOf(plan)))
    return table as unknown as Table<Row>
  }

  storedAs(plan: TablePlan): string {
    const collection = collectionOf(plan)
    return this.document.mongoose.models[collection]?.collection.collectionName ?? collection
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return runTransaction(this.document, work, options)
  }

  async now(): Promise<number> {
    const { localTime } = (await this.document.db.command({ hello: 1 })) as { localTime?: unknown }
    return Number(localTime)
  }

  health(): Promise<ConnectionHealth> {
    return this.document.health()
  }

  /** Drops the collections of entities and stores, and makes their indexes again. */
  async reset(): Promise<readonly string[]> {
    await this.document.opened()
    return this.document.collections.reset(this.document.db)
  }

  get #plans(): readonly TablePlan[] {
    return [...this.#tables.values()]
      .map(({ plan }) => plan)
      .filter((plan) => plan.existing === true || this.#entities.has(collectionOf(plan)))
  }

  #renamed(db: Db): Promise<Difference[]> {
    return renamedCollections(db, this.#plans, (plan) => this.storedAs(plan))
  }

  async #found(db: Db): Promise<readonly Difference[]> {
    const found = this.#plans.map((plan) =>
      documentDrift(db.collection(this.storedAs(plan)), plan, this.#models.view(plan).indexes)
    )
    return [...(await this.#renamed(db)), ...(await Promise.all(found)).flat()]
  }

  #differences(): Promise<readonly Difference[]> {
    return this.#unopened((db) => this.#found(db))
  }

  #standing(plans: readonly TablePlan[]): Promise<readonly StandingTable[]> {
    return this.#unopened((db) => standingCollections(db, plans, (plan) => this.storedAs(plan)))
  }

  async #unopened<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const { client, db } = this.document
    try {
      await client.connect()
      return await work(db)
    } catch (error) {
      throw this.document.failure(error)
    }
  }

  #table(plan: TablePlan): DocumentTable<object> {
    return this.#tables.get(tableKey(plan)) ?? this.#declare(plan)
  }

  #declare(plan: TablePlan): DocumentTable<object> {
    const { mongoose: native, collections, db, started } = this.document
    let access: DocumentAccess = new DriverAccess(db.collection(collectionOf(plan)))
    let insertsAtOnce = uniqueIndexes(plan).length === 0
    if (this.#native) {
      const view = this.#models.view(plan)
      if (started && view.indexes.length > 0) {
        throw new TypeError(`table ${plan.name} is declared after connection ${this.name} opened`)
      }
      const model = native.models[view.model] ?? native.model<Document>(view.model, view.schema)
      if (plan.existing !== true) collections.add(model.collection.collectionName, view.indexes, view.model)
      if (view.access !== undefined) {
        access = view.access(model)
        insertsAtOnce = false
      }
    }
    const columns = new DocumentColumns(plan)
    const runner = new OperationRunner(this.document, plan)
    const table = new DocumentTable<object>({
      runner,
      columns,
      access: watchedAccess(access, this.name, collectionOf(plan)),
      insertsAtOnce,
      indexed: this.#native,
      tableOf: (other) => this.#table(other),
      tx: null
    })
    this.#tables.set(tableKey(plan), table)
    return table
  }
}

function collectionOf({ collection, name }: TablePlan): string {
  return collection ?? name
}

function tableKey(plan: TablePlan): string {
  return `${plan.name} ${collectionOf(plan)}`
}
