/**
 * Locks documents for a transaction. The server has no such read, but of two transactions that write a document one runs
 * again; a change that leaves everything as it was is none to it, so a mark is put on and taken off.
 */
import type { ClientSession, Collection, Document } from 'mongodb'

const MARK = '_locked'

export async function lockDocuments(
  collection: Collection,
  documents: readonly Document[],
  session: ClientSession
): Promise<void> {
  if (documents.length === 0) return
  const filter = { _id: { $in: documents.map(({ _id }) => _id as never) } }
  await collection.updateMany(filter, { $set: { [MARK]: true } }, { session })
  await collection.updateMany(filter, { $unset: { [MARK]: '' } }, { session })
}
