/**
 * The collections that an application keeps on one connection: entities and chosen
 * stores, each with its indexes. They come with the first document or index, and
 * go only when a developer resets them.
 */
import type { Db, Document, IndexDescription } from 'mongodb'
import mongoose from 'mongoose'
import type { Problem } from 'svc-kernel'

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

  /** What is there already stays. @returns those that the server refused; the others are there */
  async createIndexes(db: Db): Promise<readonly RefusedIndex[]> {
    const refused = await Promise.all(
      [...this.#kept].map(async ([collection, { entity, indexes }]) => {
        if (indexes.length === 0) return []
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

/**
 * Documents that contradict a unique index, as problems of the boot: how many there are, and one of them to begin with.
 * Never a value: it may be a secret, or someone's address.
 */
export function duplicateProblems(db: Db, connector: string, refused: readonly RefusedIndex[]): Promise<Problem[]> {
  return Promise.all(
    refused.map(async (each): Promise<Problem> => {
      const fields = Object.keys(each.index.key).join(', ')
      return {
        code: 'SVC_DOCDB_DUPLICATES',
        message: `the unique index on ${fields} cannot be created: documents of ${each.entity} hold the same values`,
        at: `entity ${each.entity}, on connector ${connector}`,
        got: await countDuplicates(db, each),
        expected: `no two documents with the same ${fields}`,
        fix: `change or remove those documents, or take unique off ${fields}`,
        more: 'npx svc docs svc-docdb'
      }
    })
  )
}

async function countDuplicates(db: Db, { collection, index }: RefusedIndex): Promise<string> {
  const [found] = await db
    .collection(collection)
    .aggregate(pipeline(index.key as Document, index.partialFilterExpression ?? {}), { allowDiskUse: true })
    .toArray()
    .catch(() => [])
  if (found === undefined) return 'documents that share values'
  const { documents, values, example } = found as { documents: number; values: number; example: unknown }
  // A key that is no ObjectId is a store's own, and may be a secret.
  const id = example instanceof mongoose.mongo.ObjectId ? `, for example the one with id ${example.toHexString()}` : ''
  return `${documents} documents that share ${values} ${values === 1 ? 'value' : 'values'}${id}`
}

function pipeline(key: Document, held: Document): Document[] {
  const shared = Object.fromEntries(Object.keys(key).map((path, index) => [`key${index}`, `$${path}`]))
  return [
    { $match: held },
    { $group: { _id: shared, documents: { $sum: 1 }, example: { $max: '$_id' } } },
    { $match: { documents: { $gt: 1 } } },
    { $group: { _id: null, documents: { $sum: '$documents' }, values: { $sum: 1 }, example: { $max: '$example' } } }
  ]
}
