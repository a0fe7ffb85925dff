/**
 * The collections that an application keeps on one connection: entities and chosen
 * stores, each with its indexes. They come when the application connects, and go
 * only when a developer resets them.
 */
import type { Db, IndexDescription } from 'mongodb'
import mongoose from 'mongoose'

/** Of servers that mind when there is nothing to drop. */
const NO_SUCH_COLLECTION = 26

export interface RefusedIndex {
  readonly collection: string
  /** As its entity is called. */
  readonly entity: string
  readonly index: IndexDescription
  readonly error: unknown
}

interface Kept {
  readonly entity: string
  readonly indexes: readonly IndexDescription[]
}

export class KeptCollections {
  readonly #kept = new Map<string, Kept>()

  add(collection: string, indexes: readonly IndexDescription[], entity = collection): void {
    this.#kept.set(collection, { entity, indexes })
  }

  /** Makes collections too. What is there already stays. @returns those that the server refused; the others are there */
  async createIndexes(db: Db): Promise<readonly RefusedIndex[]> {
    const refused = await Promise.all(
      [...this.#kept].map(async ([collection, { entity, indexes }]) => {
        if (indexes.length === 0) return makeCollection(db, collection)
        try {
          await db.collection(collection).createIndexes([...indexes])
          return []
        } catch {
          return refusedOf(db, collection, entity, indexes)
        }
      })
    )
    return refused.flat()
  }

  /** Drops them with everything in them, and makes their indexes again. @returns their names */
  async reset(db: Db): Promise<readonly string[]> {
    for (const [collection, { indexes }] of this.#kept) {
      await dropCollection(db, collection)
      if (indexes.length > 0) await db.collection(collection).createIndexes([...indexes])
    }
    return [...this.#kept.keys()].sort()
  }
}

/** DocumentDB refuses first documents that come at once. A collection that cannot be made here comes with its first document. */
async function makeCollection(db: Db, name: string): Promise<[]> {
  await db.createCollection(name).catch(() => undefined)
  return []
}

/** One after another: a command that holds them all does not say which one failed. */
async function refusedOf(
  db: Db,
  collection: string,
  entity: string,
  indexes: readonly IndexDescription[]
): Promise<RefusedIndex[]> {
  const refused: RefusedIndex[] = []
  for (const index of indexes) {
    try {
      await db.collection(collection).createIndexes([index])
    } catch (error) {
      refused.push({ collection, entity, index, error })
    }
  }
  return refused
}

async function dropCollection(db: Db, name: string): Promise<void> {
  try {
    await db.dropCollection(name)
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoServerError && error.code === NO_SUCH_COLLECTION) return
    throw error
  }
}
