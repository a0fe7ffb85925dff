/**
 * The connector that svc-orm knows: entities become models when it prepares them,
 * indexes when the connection opens, repositories above gateways.
 */
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
import { UnknownModel } from '../errors.ts'
import { DocumentGateway } from '../gateway/document-gateway.ts'
import { DocumentShape } from '../gateway/document-shape.ts'
import { DriverAccess } from '../gateway/driver-access.ts'
import { ModelAccess } from '../gateway/model-access.ts'
import { objectIds } from '../gateway/object-ids.ts'
import { entityIndexes, nativeIndexes } from '../models/entity-indexes.ts'
import { modelSchema } from '../models/model-schema.ts'
import { type NativeModel, nativeModel } from '../models/native-class.ts'
import { runTransaction } from '../transactions/run-transaction.ts'
import type { DocumentConnection } from './document-connection.ts'

interface Served {
  readonly entity: CompiledEntity
  readonly gateway: EntityGateway
}

export class DocumentConnector implements OrmConnector {
  readonly name: string
  readonly vendor = 'mongodb'
  readonly ids = objectIds
  readonly savepoints = false
  readonly flow: FlowStatistics
  readonly clock: Clock
  readonly document: DocumentConnection
  readonly #natives = new Map<string, NativeModel>()
  readonly #served = new Map<string, Served>()

  constructor(connection: DocumentConnection, { flow, clock }: { flow: FlowStatistics; clock: Clock }) {
    this.name = connection.name
    this.flow = flow
    this.clock = clock
    this.document = connection
  }

  get connection(): ConnectionFacts {
    const { target, facts } = this.document
    return { driver: 'mongoose', target: target.shown, version: facts?.version ?? null }
  }

  get connected(): boolean {
    return this.document.connected
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
      const native = this.#natives.get(entity.name)
      const schema = native?.schema ?? modelSchema(entity)
      const model = this.document.mongoose.model<Document>(entity.name, schema)
      const access =
        native === undefined ? new DriverAccess(this.document.db.collection(entity.name)) : new ModelAccess(model)
      const gateway = new DocumentGateway({ connection: this.document, shape: new DocumentShape(entity), access })
      this.#served.set(entity.name, { entity, gateway })
      const indexes = native === undefined ? entityIndexes(entity) : nativeIndexes(native.schema)
      this.document.collections.add(model.collection.collectionName, indexes, entity.name)
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

  /** Transactions have a snapshot; what they only read, others may change. */
  readonly isolations = ['read committed', 'repeatable read'] as const

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return runTransaction(this.document, work)
  }

  health(): Promise<ConnectionHealth> {
    return this.document.health()
  }

  /** Drops the collections of entities and stores, and makes their indexes anew. For development. */
  async reset(): Promise<readonly string[]> {
    await this.document.opened()
    return this.document.collections.reset(this.document.db)
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
