/** One document database in the registry of svc-orm: its entities and their models, transactions and health. */
import type { Document } from 'mongodb'
import type { Model } from 'mongoose'
import { BootError, type Clock, type Problem } from 'svc-kernel'
import {
  type CompiledEntity,
  type ConnectionFacts,
  type ConnectionHealth,
  type EntityDefinition,
  type EntityGateway,
  type FlowStatistics,
  type NativeClass,
  type OrmConnector,
  PortableRepository,
  type Repository,
  type Transaction,
  UnknownEntity
} from 'svc-orm'
import type { DocumentConnection } from '../connection/document-connection.ts'
import type { DocumentDatabase, NativeView } from '../document-database.ts'
import { UnknownModel } from '../errors.ts'
import { ModelAccess } from '../models/model-access.ts'
import { type NativeModel, nativeModel } from '../models/native-class.ts'
import { collectionIndexes, nativeIndexes } from '../schema/collection-indexes.ts'
import { entitySchema } from '../schema/native-schema.ts'
import { entityPlan, TableGateway } from './entity-gateway.ts'

export interface DocumentConnectorParts {
  readonly database: DocumentDatabase
  readonly clock: Clock
  readonly flow: FlowStatistics
}

interface Served {
  readonly entity: CompiledEntity
  readonly gateway: EntityGateway
}

export class DocumentConnector implements OrmConnector {
  readonly name: string
  readonly vendor: string
  readonly ids
  readonly savepoints = false
  readonly isolations
  readonly flow: FlowStatistics
  readonly clock: Clock
  readonly database: DocumentDatabase
  readonly #natives = new Map<string, NativeModel>()
  readonly #served = new Map<string, Served>()

  constructor({ database, clock, flow }: DocumentConnectorParts) {
    this.name = database.name
    this.vendor = database.vendor
    this.ids = database.ids
    this.isolations = database.isolations
    this.flow = flow
    this.clock = clock
    this.database = database
  }

  get document(): DocumentConnection {
    return this.database.document
  }

  get connection(): ConnectionFacts {
    return this.database.connection
  }

  get connected(): boolean {
    return this.database.connected
  }

  /** A Typegoose class. */
  describeNative(model: NativeClass): EntityDefinition {
    const native = nativeModel(model)
    this.#natives.set(native.definition.name, native)
    return native.definition
  }

  /** @throws BootError (SVC_DOCDB_NAME) for names that a store of the framework has taken */
  prepare(entities: readonly CompiledEntity[]): void {
    const taken = entities.filter(({ name }) => this.document.mongoose.models[name] !== undefined)
    if (taken.length > 0) throw new BootError(taken.map(({ name }) => takenName(name, this.name)))
    for (const entity of entities) {
      const table = this.database.declare<{ readonly id: string }>(entityPlan(entity), this.#view(entity))
      this.#served.set(entity.name, { entity, gateway: new TableGateway(table) })
    }
  }

  storedAs({ name }: CompiledEntity): string {
    return this.document.mongoose.models[name]?.collection.collectionName ?? name
  }

  repository(entity: CompiledEntity): Repository {
    return new PortableRepository(entity, this)
  }

  /** @throws UnknownEntity */
  gateway(entity: string): Served {
    const served = this.#served.get(entity)
    if (served === undefined) throw new UnknownEntity(entity)
    return served
  }

  /** The compiled Mongoose model, for what the portable contract has no words for. @throws UnknownModel */
  model(entity: string): Model<Document> {
    if (!this.#served.has(entity)) throw new UnknownModel(entity)
    return this.document.mongoose.model<Document>(entity)
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.transaction(work)
  }

  /** Every collection that was declared for the database, those of stores included. */
  reset(): Promise<readonly string[]> {
    return this.database.reset()
  }

  async health(): Promise<ConnectionHealth> {
    return { ...(await this.database.health()), latency: this.flow.latency() }
  }

  #view(entity: CompiledEntity): NativeView {
    const native = this.#natives.get(entity.name)
    if (native === undefined) {
      return { model: entity.name, schema: entitySchema(entity), indexes: collectionIndexes(entityPlan(entity)) }
    }
    const { schema } = native
    return { model: entity.name, schema, indexes: nativeIndexes(schema), access: (model) => new ModelAccess(model) }
  }
}

function takenName(name: string, connector: string): Problem {
  return {
    code: 'SVC_DOCDB_NAME',
    message: `entity ${name} has the name of a collection that a store keeps on connector ${connector}`,
    at: `entity ${name}`,
    got: name,
    expected: 'a name of its own',
    fix: 'rename the entity, give it another connector, or choose another store'
  }
}
