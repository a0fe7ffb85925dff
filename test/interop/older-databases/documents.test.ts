/**
 * A document database of an older version opens, and works, as it is: restored into the engine of the run (the server
 * of `DOCDB_TEST_URI`, else the embedded one), and in the file of the embedded engine.
 * In the long run: the databases of PostgreSQL and SQLite are opened in every run.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import mongoose from 'mongoose'
import svcDocdb from 'svc-docdb'
import { startDocumentEngine } from 'svc-docdb-embedded'
import t from 'tap'
import { type Db, documentDatabase, uriOf, within } from '../../support/document-database.ts'
import { firstMigrations } from './first-migration.ts'
import type { OlderDatabase } from './older-app.ts'
import { opensUnchanged } from './opens-unchanged.ts'
import { VERSIONS, type Version, vectorFile } from './vectors.ts'

const { BSON } = mongoose.mongo

type Documents = Parameters<ReturnType<Db['collection']>['insertMany']>[0]

interface Collection {
  readonly indexes: readonly Parameters<ReturnType<Db['collection']>['createIndexes']>[0][number][]
  readonly documents: Documents
}

/** Collections and their indexes, without what differs between servers of one kind. */
function schemaOf(uri: string): Promise<readonly unknown[]> {
  return within(uri, async (db) => {
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort()
    const described = names.map(async (name) => [name, await db.collection(name).indexes()])
    return JSON.parse(JSON.stringify(await Promise.all(described)))
  })
}

async function restore(db: Db, version: Version): Promise<void> {
  const text = readFileSync(vectorFile(version, 'documents.ejson'), 'utf8')
  const collections = BSON.EJSON.parse(text, { relaxed: false }) as Record<string, Collection>
  for (const [name, { indexes, documents }] of Object.entries(collections)) {
    const collection = await db.createCollection(name)
    const own = indexes.filter((index) => index.name !== '_id_')
    if (own.length > 0) await collection.createIndexes(own.map(({ ...index }) => index))
    if (documents.length > 0) await collection.insertMany([...documents])
  }
}

function olderDatabase(uri: string, version: Version): OlderDatabase {
  return {
    version,
    driver: 'docdb',
    records: 'documents',
    module: (clock) => [svcDocdb, { connectors: { svc: { uri } }, parts: { clock } }],
    schema: () => schemaOf(uri)
  }
}

for (const version of VERSIONS) {
  t.test(`a document database of ${version}, restored`, async (t) => {
    const uri = await documentDatabase(t)
    await within(uri, (db) => restore(db, version))
    await opensUnchanged(t, olderDatabase(uri, version))
  })

  t.test(`a file of the embedded engine of ${version}`, async (t) => {
    const file = join(t.testdir({}), 'engine.db')
    writeFileSync(file, gunzipSync(readFileSync(vectorFile(version, 'engine.db.gz'))))
    const engine = await startDocumentEngine({ file })
    t.teardown(() => engine.close())
    await opensUnchanged(t, olderDatabase(uriOf(engine.uri, 'shop'), version))
  })
}

t.test('the first migration of a document database of 0.1.0', async (t) => {
  const connected = (uri: string) => [svcDocdb, { connectors: { svc: { uri } } }] as const
  firstMigrations(t, {
    database: async (t) => {
      const uri = await documentDatabase(t)
      await within(uri, (db) => restore(db, '0.1.0'))
      return connected(uri)
    },
    empty: async (t) => connected(await documentDatabase(t))
  })
})
