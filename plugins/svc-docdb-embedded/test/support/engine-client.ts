/** A driver client on a database of its own, closed and emptied when the test ends. */
import { randomUUID } from 'node:crypto'
import { type Db, MongoClient, type MongoClientOptions } from 'mongodb'
import type { Test } from 'tap'

/** What `t.teardown` needs of a test. */
export type Teardown = Pick<Test, 'teardown'>

export async function engineClient(
  t: Teardown,
  uri: string,
  options: MongoClientOptions = {}
): Promise<{ client: MongoClient; db: Db }> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 10_000, ...options })
  await client.connect()
  const db = client.db(`svc_${randomUUID().slice(0, 8)}`)
  t.teardown(async () => {
    await db.dropDatabase()
    await client.close()
  })
  return { client, db }
}
