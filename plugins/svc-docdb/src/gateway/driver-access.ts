/** A collection through the driver: no documents of Mongoose between the server and the row. */
import type { ClientSession, Collection, Document, Filter, UpdateFilter } from 'mongodb'
import type { DocumentAccess, ReadOptions, WriteOptions } from './document-access.ts'
import { lockDocuments } from './lock-documents.ts'

export class DriverAccess implements DocumentAccess {
  readonly #collection: Collection

  constructor(collection: Collection) {
    this.#collection = collection
  }

  find(filter: Filter<Document>, options: ReadOptions): Promise<Document[]> {
    return this.#collection.find(filter, options).toArray()
  }

  findOne(filter: Filter<Document>, options: ReadOptions): Promise<Document | null> {
    return this.#collection.findOne(filter, options)
  }

  async exists(filter: Filter<Document>, options: ReadOptions): Promise<boolean> {
    return (await this.#collection.findOne(filter, { ...options, projection: { _id: 1 } })) !== null
  }

  count(filter: Filter<Document>, options: ReadOptions): Promise<number> {
    return this.#collection.countDocuments(filter, options)
  }

  lock(documents: readonly Document[], session: ClientSession): Promise<void> {
    return lockDocuments(this.#collection, documents, session)
  }

  async insert(documents: readonly Document[], options: WriteOptions): Promise<null> {
    const [first] = documents
    if (documents.length === 1 && first !== undefined) await this.#collection.insertOne(first, options)
    else await this.#collection.insertMany(documents, options)
    return null
  }

  updateOne(filter: Filter<Document>, update: UpdateFilter<Document>, options: WriteOptions): Promise<Document | null> {
    return this.#collection.findOneAndUpdate(filter, update, { ...options, returnDocument: 'after' })
  }

  insertIfAbsent(
    filter: Filter<Document>,
    update: UpdateFilter<Document>,
    options: WriteOptions
  ): Promise<Document | null> {
    return this.#collection.findOneAndUpdate(filter, update, { ...options, upsert: true, returnDocument: 'after' })
  }

  async updateMany(filter: Filter<Document>, update: UpdateFilter<Document>, options: WriteOptions): Promise<number> {
    return (await this.#collection.updateMany(filter, update, options)).matchedCount
  }

  deleteOne(filter: Filter<Document>, options: WriteOptions): Promise<Document | null> {
    return this.#collection.findOneAndDelete(filter, options)
  }

  async deleteMany(filter: Filter<Document>, options: WriteOptions): Promise<number> {
    return (await this.#collection.deleteMany(filter, options)).deletedCount
  }
}
