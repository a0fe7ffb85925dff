/**
 * Unique indexes that the server refused, as problems of the boot: without them rows would be joined by equal ones. Either
 * documents contradict the index, or the server has no such index.
 */
import type { Db, Document } from 'mongodb'
import mongoose from 'mongoose'
import type { Problem } from 'svc-kernel'
import type { RefusedIndex } from '../schema/kept-collections.ts'
import { isDuplicateKey, isUnsupportedIndex } from './storage-failure.ts'

/** Those of `refused` without which the application must not start. */
export async function indexProblems(db: Db, connector: string, refused: readonly RefusedIndex[]): Promise<Problem[]> {
  const duplicates = refused.filter(({ error }) => isDuplicateKey(error))
  const unsupported = refused.filter(({ index, error }) => index.unique === true && isUnsupportedIndex(error))
  return [...(await duplicateProblems(db, connector, duplicates)), ...unsupportedProblems(connector, unsupported)]
}

/** How many there are, and one of them to begin with. Never a value: it may be a secret, or someone's address. */
function duplicateProblems(db: Db, connector: string, refused: readonly RefusedIndex[]): Promise<Problem[]> {
  return Promise.all(
    refused.map(async (each): Promise<Problem> => {
      const fields = fieldsOf(each)
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

function unsupportedProblems(connector: string, refused: readonly RefusedIndex[]): Problem[] {
  return refused.map((each) => {
    const { entity, error } = each
    const fields = fieldsOf(each)
    return {
      code: 'SVC_DOCDB_UNIQUE_INDEX',
      message: `the server takes no unique index on ${fields} of these documents`,
      at: `entity ${entity}, on connector ${connector}`,
      got: (error as Error).message,
      expected: 'a unique index that the server supports',
      fix: `simplify where of the index on ${fields}, or take unique off it`,
      more: 'npx svc docs svc-docdb'
    }
  })
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

function fieldsOf({ index }: RefusedIndex): string {
  return Object.keys(index.key).join(', ')
}
