/**
 * What a gateway needs of a collection. Portable entities are written by the
 * driver itself; classes of the application by their Mongoose model, so that
 * their validators and hooks run.
 */
import type { ClientSession, Document, Filter, Sort, UpdateFilter } from 'mongodb'

export interface ReadOptions {
  readonly sort?: Sort
  readonly skip?: number
  /** None: all. */
  readonly limit?: number
  readonly session?: ClientSession
}

export interface WriteOptions {
  readonly sort?: Sort
  readonly session?: ClientSession
}

export interface DocumentAccess {
  find(filter: Filter<Document>, options: ReadOptions): Promise<Document[]>
  findOne(filter: Filter<Document>, options: ReadOptions): Promise<Document | null>
  exists(filter: Filter<Document>, options: ReadOptions): Promise<boolean>
  count(filter: Filter<Document>, options: ReadOptions): Promise<number>
  /** Nobody else changes them until the transaction ends, or it runs again. */
  lock(documents: readonly Document[], session: ClientSession): Promise<void>
  /** The documents as they stand, where defaults or hooks may have changed them; else `null`. */
  insert(documents: readonly Document[], options: WriteOptions): Promise<readonly Document[] | null>
  /** The document afterwards. */
  updateOne(filter: Filter<Document>, update: UpdateFilter<Document>, options: WriteOptions): Promise<Document | null>
  /** The document that stands. */
  insertIfAbsent(
    filter: Filter<Document>,
    update: UpdateFilter<Document>,
    options: WriteOptions
  ): Promise<Document | null>
  /** How many matched. */
  updateMany(filter: Filter<Document>, update: UpdateFilter<Document>, options: WriteOptions): Promise<number>
  /** The document as it was. */
  deleteOne(filter: Filter<Document>, options: WriteOptions): Promise<Document | null>
  deleteMany(filter: Filter<Document>, options: WriteOptions): Promise<number>
}
