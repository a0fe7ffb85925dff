/**
 * One collection of a store: the driver's own, behind the connection's state, with
 * failures in the words of the store contracts. Compiled once; its model is the
 * native view of the same documents.
 */
import type { Collection, Document, Filter, FindOptions, IndexDescription, ObjectId, SortDirection } from 'mongodb'
import mongoose, { type Model, type Schema } from 'mongoose'
import { DuplicateRecord, type Page, type PageQuery, readPage, type SortFields } from 'svc-stores'
import type { DocumentConnection } from '../connection/document-connection.ts'
import { NativeModelRequired } from '../errors.ts'

/** `_id` is the store's own key where it is text, else the server's. */
export interface StoredDocument extends Document {
  readonly _id: string | ObjectId
}

export interface CollectionPlan {
  readonly name: string
  /** What the record is called in errors. */
  readonly brick: string
  /** The field that a duplicate is about. */
  readonly unique: string
  readonly schema: Schema
  readonly indexes: readonly IndexDescription[]
}

export interface ListPlan<Item, Field extends string> {
  readonly sort: SortFields<Field>
  /** Name of a sort field in the documents, where it differs. */
  readonly nameOf: (field: Field) => string
  readonly projection: Document
  readonly toItem: (document: Document) => Item
}

const DUPLICATE_KEY = 11_000

export class StoreCollection {
  readonly plan: CollectionPlan
  /** `null` in a pure data driver, which makes no indexes for the framework either. */
  readonly model: Model<Document> | null
  readonly #connection: DocumentConnection
  readonly #collection: Collection<StoredDocument>

  constructor(connection: DocumentConnection, plan: CollectionPlan, native = true) {
    this.plan = plan
    this.#connection = connection
    this.#collection = connection.db.collection<StoredDocument>(plan.name)
    this.model = native ? this.#compile() : null
  }

  /** Whether the application is shutting down. */
  get closing(): boolean {
    return this.#connection.closing
  }

  /** @throws ConnectionUnavailable (503), DuplicateRecord (409) */
  async run<T>(operation: (collection: Collection<StoredDocument>) => Promise<T>): Promise<T> {
    await this.#connection.opened()
    try {
      return await operation(this.#collection)
    } catch (error) {
      if (isDuplicate(error)) throw new DuplicateRecord(this.plan.brick, this.plan.unique)
      throw this.#connection.failure(error)
    }
  }

  /** An upsert that lost a race finds the document of the winner at its second try. */
  async upsert<T>(operation: (collection: Collection<StoredDocument>) => Promise<T>): Promise<T> {
    try {
      return await this.run(operation)
    } catch (error) {
      if (!(error instanceof DuplicateRecord)) throw error
      return this.run(operation)
    }
  }

  findOne(filter: Filter<StoredDocument>, options?: FindOptions): Promise<Document | null> {
    return this.run((collection) => collection.findOne(filter, options ?? {}))
  }

  async changed(filter: Filter<StoredDocument>, update: Document): Promise<number> {
    return this.run(async (collection) => (await collection.updateMany(filter, update)).matchedCount)
  }

  async changedOne(filter: Filter<StoredDocument>, update: Document): Promise<boolean> {
    return this.run(async (collection) => (await collection.updateOne(filter, update)).matchedCount === 1)
  }

  async deleted(filter: Filter<StoredDocument>): Promise<number> {
    return this.run(async (collection) => (await collection.deleteMany(filter)).deletedCount)
  }

  count(filter: Filter<StoredDocument>): Promise<number> {
    return this.run((collection) => collection.countDocuments(filter))
  }

  /**
   * Reads one document more than asked for, to know whether another page follows.
   *
   * @throws NativeModelRequired where no index could spare the server from reading the whole collection
   */
  async page<Item, Field extends string>(
    filter: Filter<StoredDocument>,
    query: PageQuery<Field>,
    { sort, nameOf, projection, toItem }: ListPlan<Item, Field>
  ): Promise<Page<Item>> {
    const { limit, offset, order } = readPage(query, sort)
    if (this.model === null) throw new NativeModelRequired(this.plan.name)
    const keys = new Map<string, SortDirection>()
    for (const [field, direction] of order) {
      keys.set(nameOf(field as Field), direction === 'ASC' ? 1 : -1)
      // What follows a unique field decides nothing, and would keep the server from using its index.
      if (field === this.plan.unique) break
    }
    const found = await this.run((collection) =>
      collection.find(filter, { projection, sort: keys, skip: offset, limit: limit + 1 }).toArray()
    )
    return { items: found.slice(0, limit).map(toItem), limit, offset, hasNext: found.length > limit }
  }

  #compile(): Model<Document> {
    const { name, schema, indexes } = this.plan
    const { mongoose: native, collections } = this.#connection
    collections.add(name, indexes)
    return native.models[name] ?? native.model(name, schema, name)
  }
}

export function isDuplicate(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY
}
