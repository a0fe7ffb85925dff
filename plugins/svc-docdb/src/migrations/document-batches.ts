/** The documents of a collection in batches by `_id`, changed in JavaScript and written back; where it is, is told after each. */
import type { Collection, Document } from 'mongodb'
import { missingData, type StoredRow } from 'svc-orm/driver'
import type { DocumentColumns } from '../table/document-columns.ts'

const BATCH = 1000

export interface DocumentChanges {
  readonly documents: Collection
  readonly filter: Document
  readonly read: DocumentColumns
  readonly written: DocumentColumns
  readonly change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
  /** Whether null is written as such; else it is absent, as everywhere in documents. */
  readonly keepsNull?: boolean
  /** The `_id` after which it goes on; `null`: from the beginning. */
  readonly place: unknown
  /** @param count documents of this run so far */
  readonly reached: (place: unknown, count: number) => Promise<void>
}

export async function changeDocuments(changes: DocumentChanges): Promise<void> {
  const { documents, filter, read, written, change, reached, keepsNull = false } = changes
  let place = changes.place
  let count = 0
  for (;;) {
    const after = place === null ? {} : { _id: { $gt: place } }
    const batch = await documents
      .find({ ...filter, ...after } as Document)
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray()
    const last = batch.at(-1)
    if (last === undefined) return
    const updates = batch.flatMap((document) => {
      const changed = change(read.toRow<StoredRow>(document))
      if (changed === null || Object.keys(changed).length === 0) return []
      return [{ updateOne: { filter: { _id: document._id }, update: updateOf(written, changed, keepsNull) } }]
    })
    if (updates.length > 0) await documents.bulkWrite(updates, { ordered: true })
    place = last._id
    count += batch.length
    await reached(place, count)
    if (batch.length < BATCH) return
  }
}

function updateOf(columns: DocumentColumns, changed: Readonly<Record<string, unknown>>, keepsNull: boolean): Document {
  const known = new Set(columns.plan.columns.map(({ name }) => name))
  const stray = Object.keys(changed).find((name) => !known.has(name))
  if (stray !== undefined)
    throw missingData(`a change sets ${stray}, which is not among its columns`, `name ${stray} there`)
  const entries = Object.entries(changed)
  const isSet = (value: unknown) => (keepsNull ? value !== undefined : value !== null && value !== undefined)
  const set = entries.filter(([, value]) => isSet(value))
  const unset = entries.filter(([, value]) => !isSet(value))
  const written = (name: string, value: unknown) => (value === null ? null : columns.write(name, value))
  return {
    ...(set.length > 0 && { $set: Object.fromEntries(set.map(([name, value]) => [name, written(name, value)])) }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map(([name]) => [name, ''])) })
  }
}
