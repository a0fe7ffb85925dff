/**
 * The collections that an application keeps on one connection: entities and chosen
 * stores, each with its indexes. They come with the first document or index, and
 * go only when a developer resets them.
 */
import type { Db, IndexDescription } from 'mongodb'
import mongoose from 'mongoose'

/** Of servers that mind when there is nothing to drop. */
const NO_SUCH_COLLECTION = 26

export class KeptCollections {
  readonly #indexes = new Map<string, readonly IndexDescription[]>()

  add(collection: string, indexes: readonly IndexDescription[]): void {
    this.#indexes.set(collection, indexes)
  }

  /** What is there already stays. @param onFailure told of each collection whose indexes cannot be made */
  async createIndexes(db: Db, onFailure: (collection: string, error: unknown) => void): Promise<void> {
    await Promise.all(
      [...this.#indexes].map(async ([collection, indexes]) => {
        try {
          if (indexes.length > 0) await db.collection(collection).createIndexes([...indexes])
        } catch (error) {
          onFailure(collection, error)
        }
      })
    )
  }

  /** Drops them with everything in them, and makes their indexes anew. @returns their names */
  async reset(db: Db): Promise<readonly string[]> {
    for (const [collection, indexes] of this.#indexes) {
      await dropCollection(db, collection)
      if (indexes.length > 0) await db.collection(collection).createIndexes([...indexes])
    }
    return [...this.#indexes.keys()].sort()
  }
}

async function dropCollection(db: Db, name: string): Promise<void> {
  try {
    await db.dropCollection(name)
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoServerError && error.code === NO_SUCH_COLLECTION) return
    throw error
  }
}
