/**
 * Documents that contradict a unique index, as problems of the boot: how many there are, and one of them to begin
 * with. Never a value: it may be a secret, or someone's address.
 */
import type { Db, Document } from 'mongodb'
import mongoose from 'mongoose'
import type { Problem } from 'svc-kernel'
import type { RefusedIndex } from './kept-collections.ts'

export function duplicateProblems(db: Db, connector: string, refused: readonly RefusedIndex[]): Promise<Problem[]> {
  return Promise.all(
    refused.map(async (each): Promise<Problem> => {
      const fields = Object.keys(each.index.key).join(', ')
      return {
        code: 'SVC_DOCDB_DUPLICATES',
        message: `documents of ${each.entity} contradict the unique index on ${fields} that is to be made`,
        at: `entity ${each.entity}, on connector ${connector}`,
        got: await countDuplicates(db, each),
        expected: `no two documents with the same ${fields}`,
        fix: `change or remove those documents, or take unique off ${fields}`,
        more: 'plugins/svc-docdb/README.md'
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
