/** What answers operations: an engine behind a URI, or mingo on plain values. Answers are texts, so that they can be compared and kept. */
import { inspect } from 'node:util'
import { type Document, deserialize, EJSON, ObjectId, serialize } from 'bson'
import { aggregate, Query, update as updateWithMingo } from 'mingo'
import { type Db, MongoServerError } from 'mongodb'
import type { Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'

/** The documents of the answer with the types of their values, or `refused` and the code. */
export type Answer = string

/** What an operation is called in the vectors: itself, as text, without documents that several have. */
export function nameOf({ area, documents, ...operation }: Operation): string {
  const shared = OPERATIONS.filter((other) => other.documents === documents).length > 1
  const shown = shared ? operation : { ...operation, documents }
  return `${area} ${inspect(shown, { depth: null, compact: true, breakLength: Number.POSITIVE_INFINITY })}`
}

export async function answerOfEngine(db: Db, operation: Operation): Promise<Answer> {
  const { documents, filter = {}, sort, projection = {}, update, arrayFilters, upsert = false, pipeline } = operation
  const collection = db.collection(`c${new ObjectId().toHexString()}`)
  if (documents.length > 0) await collection.insertMany(documents.map((document) => ({ ...document })) as never[])
  try {
    if (update !== undefined) {
      const statement = { q: filter, u: update, upsert, ...(arrayFilters === undefined ? {} : { arrayFilters }) }
      const { writeErrors } = await db.command({ update: collection.collectionName, updates: [statement] })
      if (writeErrors !== undefined) return `refused ${writeErrors[0].code}`
    }
    const raw = { promoteValues: false, promoteLongs: false } as const
    const found =
      pipeline === undefined
        ? collection.find(update === undefined ? filter : {}, { projection, ...raw }).sort(sort ?? { _id: 1 })
        : collection.aggregate([...pipeline], raw)
    return answerOf(await found.toArray(), operation)
  } catch (error) {
    if (error instanceof MongoServerError) return `refused ${error.code}`
    throw error
  } finally {
    await collection.drop()
  }
}

/** The same operation by mingo, on numbers as JavaScript has them; it has no codes and no upserts. */
export function answerOfMingo(operation: Operation): Answer {
  const { filter = {}, sort, projection, update, arrayFilters = [], upsert, pipeline } = operation
  const documents = operation.documents.map(promoted)
  try {
    if (upsert === true) return 'has no upserts'
    if (update !== undefined) {
      for (const document of documents) {
        updateWithMingo(document, promoted(update), arrayFilters.map(promoted), promoted(filter) as never)
      }
      return answerOf(documents, operation)
    }
    if (pipeline !== undefined) return answerOf(aggregate(documents, pipeline.map(promoted)), operation)
    const found = new Query(promoted(filter)).find<Document>(documents, projection ?? {})
    return answerOf((sort === undefined ? found : found.sort(promoted(sort))).all(), operation)
  } catch {
    return 'refused'
  }
}

/** A filter and a sort answer with ids, anything else with documents. */
function answerOf(documents: readonly Document[], { area, upsert }: Operation): Answer {
  if (area === 'matching' || area === 'ordering') return documents.map(({ _id }) => String(_id)).join(' ')
  const shown = documents.map((document) => {
    if (upsert !== true || document._id?._bsontype !== 'ObjectId') return document
    const { _id, ...rest } = document
    return rest
  })
  return EJSON.stringify(shown, { relaxed: false })
}

function promoted(document: Document): Document {
  return deserialize(serialize(document), { promoteLongs: true })
}
