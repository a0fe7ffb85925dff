/**
 * What a table needs of a collection. Portable tables are written by the driver itself, without documents of Mongoose
 * between the server and the row; classes of the application by their model: see `models/model-access.ts`.
 */
import type { ClientSession, Collection, Document, Filter, Sort, UpdateFilter } from 'mongodb'
import mongoose from 'mongoose'
import type { DocumentUpdate } from './document-update.ts'

export interface ReadOptions {
  readonly sort?: Sort
  readonly skip?: number
  /** None: all. */
  readonly limit?: number
  readonly projection?: Document
  readonly session?: ClientSession
}

export interface WriteOptions {
  readonly sort?: Sort
  /** How long the server may take, with what it waits for. Default: without end. */
  readonly maxTimeMS?: number
  readonly session?: ClientSession
}

export interface EachUpdate {
  readonly filter: Filter<Document>
  readonly update: DocumentUpdate
}

export interface DocumentAccess {
  /** Of the collection. */
  readonly name: string
  find(filter: Filter<Document>, options: ReadOptions): Promise<Document[]>
  findOne(filter: Filter<Document>, options: ReadOptions): Promise<Document | null>
  exists(filter: Filter<Document>, options: ReadOptions): Promise<boolean>
  count(filter: Filter<Document>, options: ReadOptions): Promise<number>
  aggregate(pipeline: readonly Document[], options: ReadOptions): Promise<Document[]>
  /** They stay as they are until the transaction ends, or it runs again. */
  lock(documents: readonly Document[], session: ClientSession): Promise<void>
  /** The documents as they stand, where defaults or hooks may have changed them; else `null`. */
  insert(documents: readonly Document[], options: WriteOptions): Promise<readonly Document[] | null>
  /** Each on its own: one that is refused does not hold up the others. */
  insertEach(documents: readonly Document[]): Promise<void>
  /** The document afterwards. */
  updateOne(filter: Filter<Document>, update: DocumentUpdate, options: WriteOptions): Promise<Document | null>
  /** The document that stands. */
  upsert(filter: Filter<Document>, update: UpdateFilter<Document>, options: WriteOptions): Promise<Document>
  /** How many matched. @param one at most one document does: the driver may then try again after an outage */
  update(filter: Filter<Document>, update: DocumentUpdate, options: WriteOptions, one: boolean): Promise<number>
  /** One document at most by each of these, one after the other. How many matched. */
  updateEach(updates: readonly EachUpdate[], options: WriteOptions): Promise<number>
  /** The document as it was. */
  deleteOne(filter: Filter<Document>, options: WriteOptions): Promise<Document | null>
  deleteMany(filter: Filter<Document>, options: WriteOptions): Promise<number>
}

const LOCK_MARK = '_locked'

export class DriverAccess implements DocumentAccess {
  readonly #collection: Collection

  constructor(collection: Collection) {
    this.#collection = collection
  }

  get name(): string {
    return this.#collection.collectionName
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

  aggregate(pipeline: readonly Document[], options: ReadOptions): Promise<Document[]> {
    return this.#collection.aggregate([...pipeline], options).toArray()
  }

  lock(documents: readonly Document[], session: ClientSession): Promise<void> {
    return lockDocuments(this.#collection, documents, session)
  }

  async insert(documents: readonly Document[], options: WriteOptions): Promise<null> {
    const [first] = documents
    if (documents.length === 1 && first !== undefined) await this.#collection.insertOne(first, options)
    else await this.#insertMany(documents, options)
    return null
  }

  async insertEach(documents: readonly Document[]): Promise<void> {
    await this.#collection.insertMany(documents, { ordered: false })
  }

  updateOne(filter: Filter<Document>, update: DocumentUpdate, options: WriteOptions): Promise<Document | null> {
    return this.#collection.findOneAndUpdate(filter, update, { ...options, returnDocument: 'after' })
  }

  async upsert(filter: Filter<Document>, update: UpdateFilter<Document>, options: WriteOptions): Promise<Document> {
    const upsert = { ...options, upsert: true, returnDocument: 'after' } as const
    return (await this.#collection.findOneAndUpdate(filter, update, upsert)) as Document
  }

  async update(filter: Filter<Document>, update: DocumentUpdate, options: WriteOptions, one: boolean): Promise<number> {
    const { matchedCount } = one
      ? await this.#collection.updateOne(filter, update, options)
      : await this.#collection.updateMany(filter, update, options)
    return matchedCount
  }

  async updateEach(updates: readonly EachUpdate[], options: WriteOptions): Promise<number> {
    const statements = updates.map((updateOne) => ({ updateOne }))
    return (await this.#collection.bulkWrite(statements, options)).matchedCount
  }

  deleteOne(filter: Filter<Document>, options: WriteOptions): Promise<Document | null> {
    return this.#collection.findOneAndDelete(filter, options)
  }

  async deleteMany(filter: Filter<Document>, options: WriteOptions): Promise<number> {
    return (await this.#collection.deleteMany(filter, options)).deletedCount
  }

  /** One command, of which the server keeps what came before a refused document: outside a transaction it is taken back. */
  async #insertMany(documents: readonly Document[], options: WriteOptions): Promise<void> {
    try {
      await this.#collection.insertMany(documents, options)
    } catch (error) {
      if (error instanceof mongoose.mongo.MongoBulkWriteError && options.session === undefined) {
        const kept = documents.slice(0, error.insertedCount)
        await this.#collection.deleteMany({ _id: { $in: kept.map(({ _id }) => _id as never) } })
      }
      throw error
    }
  }
}

/**
 * The server has no read that locks, but of two transactions that write a document one runs again; a change that leaves
 * everything as it was is none to it, so a mark is put on and taken off.
 */
export async function lockDocuments(
  collection: Collection,
  documents: readonly Document[],
  session: ClientSession
): Promise<void> {
  if (documents.length === 0) return
  const filter = { _id: { $in: documents.map(({ _id }) => _id as never) } }
  await collection.updateMany(filter, { $set: { [LOCK_MARK]: true } }, { session })
  await collection.updateMany(filter, { $unset: { [LOCK_MARK]: '' } }, { session })
}
