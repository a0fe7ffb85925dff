/** The Mongoose models of entities: of classes as their author wrote them, of definitions as their fields say. */
import type { Document, IndexDescription } from 'mongodb'
import type { Model, Schema } from 'mongoose'
import { BootError, type Problem } from 'svc-kernel'
import type { EntityDefinition } from 'svc-orm'
import type { CompiledEntity, NativeClass } from 'svc-orm/driver'
import { recordOf, type TablePlan } from 'svc-stores/table'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { UnknownModel } from '../errors.ts'
import { collectionIndexes, nativeIndexes } from '../schema/collection-indexes.ts'
import { entitySchema, planSchema } from '../schema/native-schema.ts'
import type { DocumentAccess } from '../table/document-access.ts'
import { ModelAccess, type ReadFrom } from './model-access.ts'
import { type NativeModel, nativeModel } from './native-class.ts'

/** How applications see the documents of a table, and the server keeps them. */
export interface NativeView {
  readonly model: string
  readonly schema: Schema
  readonly indexes: readonly IndexDescription[]
  /** Absent: the driver's own. */
  readonly access?: (model: Model<Document>, from?: ReadFrom) => DocumentAccess
}

export class EntityModels {
  readonly #connection: DocumentConnection
  readonly #natives = new Map<string, NativeModel>()
  readonly #entities = new Map<string, CompiledEntity>()

  constructor(connection: DocumentConnection) {
    this.#connection = connection
  }

  /** A Typegoose class as a definition. @throws BootError */
  describe(model: NativeClass): EntityDefinition {
    const native = nativeModel(model)
    this.#natives.set(native.definition.name, native)
    return native.definition
  }

  /** @throws BootError (SVC_DOCDB_NAME, SVC_DOCDB_KEY) for names that a store of the framework has taken, for keys of several fields */
  accept(entities: readonly CompiledEntity[]): void {
    const { mongoose, name: connector } = this.#connection
    const taken = entities.filter(({ name }) => mongoose.models[name] !== undefined)
    const keyed = entities.filter(({ existing }) => existing?.key !== undefined)
    const problems = [
      ...taken.map(({ name }) => takenName(name, connector)),
      ...keyed.map(({ name }) => severalKeys(name, connector))
    ]
    if (problems.length > 0) throw new BootError(problems)
    for (const entity of entities) this.#entities.set(entity.name, entity)
  }

  /** The compiled model of an entity, for what the portable contract has no words for. @throws UnknownModel */
  model(entity: string): Model<Document> {
    if (!this.#entities.has(entity)) throw new UnknownModel(entity)
    return this.#connection.mongoose.model<Document>(entity)
  }

  /** The view of a plan: of an entity with its relations, else with the columns only. */
  view(plan: TablePlan): NativeView {
    if (plan.existing === true) return { model: recordOf(plan), schema: planSchema(plan), indexes: [] }
    const model = plan.collection ?? plan.name
    const native = this.#natives.get(model)
    const entity = this.#entities.get(model)
    if (entity === undefined) return { model, schema: planSchema(plan), indexes: collectionIndexes(plan) }
    if (native === undefined) return { model, schema: entitySchema(entity), indexes: collectionIndexes(plan) }
    const { schema } = native
    return {
      model,
      schema,
      indexes: nativeIndexes(schema),
      access: (compiled, from) => new ModelAccess(compiled, from)
    }
  }
}

function takenName(name: string, connector: string): Problem {
  return {
    code: 'SVC_DOCDB_NAME',
    message: `entity ${name} has the name of a collection that svc uses on connector ${connector}`,
    at: `entity ${name}`,
    got: name,
    expected: 'another name',
    fix: 'rename the entity, give it another connector, or choose another store'
  }
}

function severalKeys(name: string, connector: string): Problem {
  return {
    code: 'SVC_DOCDB_KEY',
    message: `entity ${name} has existing.key, and connector ${connector} keeps documents, whose one key is _id`,
    at: `entity ${name}`,
    got: 'existing.key',
    expected: 'a key of one field',
    fix: 'remove existing.key, and name the field of the key as existing.columns.id if it is not _id'
  }
}
