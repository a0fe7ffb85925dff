/** An empty document database for a test: on the server of `DOCDB_TEST_URI`, else on an embedded engine. */
import { randomBytes } from 'node:crypto'
import mongoose from 'mongoose'
import { startDocumentEngine } from 'svc-docdb-embedded'
import type { Test } from 'tap'

const { MongoClient } = mongoose.mongo

export type Db = ReturnType<InstanceType<typeof MongoClient>['db']>

/** @returns its address; on a server it is dropped after the test */
export async function documentDatabase(t: Test): Promise<string> {
  const { DOCDB_TEST_URI: given = '' } = process.env
  if (given !== '') {
    const url = new URL(given)
    url.pathname = `/test_${randomBytes(6).toString('hex')}`
    t.teardown(() => within(url.href, (db) => db.dropDatabase()))
    return url.href
  }
  const engine = await startDocumentEngine()
  t.teardown(() => engine.close())
  return uriOf(engine.uri, 'test')
}

/** The address of a database of an engine. */
export function uriOf(engine: string, database: string): string {
  const { host, search } = new URL(engine)
  return `mongodb://${host}/${database}${search}`
}

export async function within<T>(uri: string, work: (db: Db) => Promise<T>): Promise<T> {
  const client = await new MongoClient(uri).connect()
  try {
    return await work(client.db())
  } finally {
    await client.close()
  }
}
