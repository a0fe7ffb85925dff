/** Collections and indexes that are dropped or renamed: what is gone already is no mistake. */
import type { Collection, Db, Document } from 'mongodb'
import mongoose from 'mongoose'
import { type MigratedIndex, unexpectedState } from 'svc-orm/driver'
import { columnName } from 'svc-stores/table'
import { indexDescription } from '../schema/collection-indexes.ts'

/** How a step is known. Of several indexes over the same columns, those of some rows have their own names. */
export function indexStep(step: 'addIndex' | 'dropIndex', entity: string, index: MigratedIndex): string {
  const name = index.where === undefined ? '' : ` ${indexDescription(index).name}`
  return `${step} ${entity} (${index.columns.map(columnName).join(', ')})${name}`
}

const NO_SUCH_COLLECTION = 26
const NO_SUCH_INDEX = 27
const NO_SUCH_COMMAND = 59

const BATCH = 1000

export function dropCollection(collection: Collection): Promise<void> {
  return unless([NO_SUCH_COLLECTION], () => collection.drop())
}

export function dropIndex(collection: Collection, name: string): Promise<void> {
  return unless([NO_SUCH_COLLECTION, NO_SUCH_INDEX], () => collection.dropIndex(name))
}

/** A collection comes with its first document: one that is not there has none to be renamed. */
export async function renameCollection(db: Db, from: string, to: string): Promise<void> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray()
  const has = (name: string) => found.some((each) => each.name === name)
  if (!has(from)) return
  const [old, taken] = [db.collection(from), db.collection(to)]
  if (has(to)) {
    if ((await old.findOne({})) === null) return dropCollection(old)
    if (await holdsOthers(old, taken)) {
      throw unexpectedState(`the collection ${to} has documents already: ${from} cannot be renamed to it`)
    }
  }
  try {
    await old.rename(to, { dropTarget: true })
  } catch (error) {
    if (!isCode(error, [NO_SUCH_COMMAND])) throw error
    await copy(old, taken)
  }
}

/** What a copy that was cut short has left is no other document. */
async function holdsOthers(old: Collection, taken: Collection): Promise<boolean> {
  for await (const { _id } of taken.find({}, { projection: { _id: 1 } })) {
    if ((await old.findOne({ _id }, { projection: { _id: 1 } })) === null) return true
  }
  return false
}

/** For servers that rename nothing, as the embedded engine. It can be begun again at any time: the old one goes last. */
async function copy(old: Collection, to: Collection): Promise<void> {
  let last: unknown = null
  for (;;) {
    const after = last === null ? {} : { _id: { $gt: last } }
    const batch = await old
      .find(after as Document)
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray()
    if (batch.length === 0) return dropCollection(old)
    await to.bulkWrite(
      batch.map((document) => ({
        replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true }
      }))
    )
    last = batch.at(-1)?._id
  }
}

async function unless(codes: readonly number[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isCode(error, codes)) throw error
  }
}

function isCode(error: unknown, codes: readonly number[]): boolean {
  return error instanceof mongoose.mongo.MongoServerError && codes.includes(Number(error.code))
}
