/** What a connection asks its server: who it is, and whether it takes writes. */
import type { Db } from 'mongodb'

export interface ServerFacts {
  readonly version: string | null
  /** A replica set or a sharded cluster; a standalone server has no transactions. */
  readonly transactions: boolean
}

export async function readServerFacts(db: Db): Promise<ServerFacts> {
  const [hello, build] = await Promise.all([
    db.command({ hello: 1 }),
    // Some services keep it to their administrators.
    db.command({ buildInfo: 1 }).catch(() => ({}) as { version?: unknown })
  ])
  const { setName, msg } = hello as { setName?: unknown; msg?: unknown }
  return {
    version: typeof build.version === 'string' ? build.version : null,
    transactions: typeof setName === 'string' || msg === 'isdbgrid'
  }
}

/** As large as a few small documents of an application, so that a disk with a handful of bytes left still counts as full. */
const FILLER = 'x'.repeat(16_384)

/**
 * Writes a document that takes some room, in its own collection, which goes with it.
 *
 * @throws the error of the driver while the database takes no writes
 */
export async function probeWrite(db: Db): Promise<void> {
  const collection = db.collection('svc_write_probe')
  await collection.insertOne({ filler: FILLER })
  await collection.drop()
}
