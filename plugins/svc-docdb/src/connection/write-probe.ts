/**
 * Whether the database takes writes again, after it refused one on a full disk: a document that takes some room, in a
 * collection of its own, which goes with it.
 */
import type { Db } from 'mongodb'

const COLLECTION = 'svc_write_probe'

/** As large as a few small documents of an application, so that a disk with a handful of bytes left still counts as full. */
const FILLER = 'x'.repeat(16_384)

/** @throws the error of the driver while it takes none */
export async function probeWrite(db: Db): Promise<void> {
  const collection = db.collection(COLLECTION)
  await collection.insertOne({ filler: FILLER })
  await collection.drop()
}
