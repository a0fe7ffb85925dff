/** A collection through a model of the application: validators, defaults and hooks of the class run. */
import type { AggregateOptions, ClientSession, Collection, Document, Filter, UpdateFilter } from 'mongodb'
import type { Model } from 'mongoose'
import {
  type DocumentAccess,
  DriverAccess,
  type EachUpdate,
  lockDocuments,
  type ReadOptions,
  type WriteOptions
} from '../table/document-access.ts'
import type { DocumentUpdate } from '../table/document-update.ts'

/** Rows come as plain objects; a filter is ours already and is not cast into another. */
const LEAN = { lean: true, strictQuery: false } as const

/** `{}`: as the connection prefers. */
export type ReadFrom = { readonly readPreference?: 'primary' }

const PRIMARY: ReadFrom = { readPreference: 'primary' }

/** The repository keeps them, with its clock. */
const OWN_TIMESTAMPS = { timestamps: false } as const

export class ModelAccess implements DocumentAccess {
  readonly #model: Model<Document>
  readonly #from: ReadFrom

  /** @param from where it reads; default: the primary, whatever the connection of the model prefers */
  constructor(model: Model<Document>, from: ReadFrom = PRIMARY) {
    this.#model = model
    this.#from = from
  }

  /** A pipeline computes in the server, where no validator of a model can look. */
  get #driver(): DriverAccess {
    return new DriverAccess(this.#model.collection as unknown as Collection)
  }

  get name(): string {
    return this.#model.collection.collectionName
  }

  find(filter: Filter<Document>, options: ReadOptions): Promise<Document[]> {
    return this.#model.find(filter, null, { ...LEAN, ...this.#from, ...options }).exec()
  }

  findOne(filter: Filter<Document>, options: ReadOptions): Promise<Document | null> {
    return this.#model.findOne(filter, null, { ...LEAN, ...this.#from, ...options }).exec()
  }

  async exists(filter: Filter<Document>, options: ReadOptions): Promise<boolean> {
    return (await this.#model.findOne(filter, { _id: 1 }, { ...LEAN, ...this.#from, ...options }).exec()) !== null
  }

  count(filter: Filter<Document>, options: ReadOptions): Promise<number> {
    return this.#model.countDocuments(filter, { ...this.#from, ...options }).exec()
  }

  /** By the driver: a filter is ours already, and a model would cast it into another. */
  aggregate(pipeline: readonly Document[], options: ReadOptions): Promise<Document[]> {
    const setting = { ...this.#from, ...options } as AggregateOptions
    return this.#model.collection.aggregate([...pipeline], setting).toArray()
  }

  lock(documents: readonly Document[], session: ClientSession): Promise<void> {
    return lockDocuments(this.#model.collection as unknown as Collection, documents, session)
  }

  async insert(documents: readonly Document[], options: WriteOptions): Promise<readonly Document[]> {
    const created = await this.#model.create([...documents], { ...options, ...OWN_TIMESTAMPS, ordered: true })
    return created.map((document) => document.toObject({ virtuals: false, getters: false }))
  }

  async insertEach(documents: readonly Document[]): Promise<void> {
    await this.#model.create([...documents], { ...OWN_TIMESTAMPS, ordered: false })
  }

  updateOne(filter: Filter<Document>, update: DocumentUpdate, options: WriteOptions): Promise<Document | null> {
    if (Array.isArray(update)) return this.#driver.updateOne(filter, update, options)
    return this.#model
      .findOneAndUpdate(filter, update, {
        ...LEAN,
        ...options,
        ...OWN_TIMESTAMPS,
        runValidators: true,
        returnDocument: 'after'
      })
      .exec()
  }

  async upsert(filter: Filter<Document>, update: UpdateFilter<Document>, options: WriteOptions): Promise<Document> {
    const upsert = { upsert: true, runValidators: true, setDefaultsOnInsert: true, returnDocument: 'after' } as const
    const setting = { ...LEAN, ...options, ...OWN_TIMESTAMPS, ...upsert }
    return (await this.#model.findOneAndUpdate(filter, update, setting).exec()) as Document
  }

  async update(filter: Filter<Document>, update: DocumentUpdate, options: WriteOptions, one: boolean): Promise<number> {
    if (Array.isArray(update)) return this.#driver.update(filter, update, options, one)
    const checked = { ...options, ...OWN_TIMESTAMPS, runValidators: true }
    const changing = one
      ? this.#model.updateOne(filter, update, checked)
      : this.#model.updateMany(filter, update, checked)
    return (await changing).matchedCount
  }

  /** One by one, as a model checks no bulk of updates. */
  async updateEach(updates: readonly EachUpdate[], options: WriteOptions): Promise<number> {
    let matched = 0
    for (const { filter, update } of updates) matched += await this.update(filter, update, options, true)
    return matched
  }

  deleteOne(filter: Filter<Document>, options: WriteOptions): Promise<Document | null> {
    return this.#model.findOneAndDelete(filter, { ...LEAN, ...options }).exec()
  }

  async deleteMany(filter: Filter<Document>, options: WriteOptions): Promise<number> {
    return (await this.#model.deleteMany(filter, options)).deletedCount
  }
}
