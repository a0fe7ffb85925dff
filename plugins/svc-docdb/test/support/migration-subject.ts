/** A database of documents for the suites of migrations. */
import mongoose from 'mongoose'
import { systemClock } from 'svc-kernel'
import { type CompiledEntity, EntityRepositories } from 'svc-orm/driver'
import type { Test } from 'tap'
import { documents } from './documents.ts'
import { migrationTo } from './migration-database.ts'

export async function documentSubject(t: Test) {
  const { uri } = await documents(t)
  const client = new mongoose.mongo.MongoClient(uri)
  t.teardown(() => client.close())
  const db = client.db()
  const connector = async () => {
    const { connection, database } = migrationTo(uri, systemClock)
    return { connector: database, close: () => connection.close() }
  }
  const open = async (entities: readonly CompiledEntity[]) => {
    const { connection, database } = migrationTo(uri, systemClock)
    const repositories = new EntityRepositories({ database, entities })
    await connection.open()
    return { repositories, close: () => connection.close() }
  }
  const schema = async () => {
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
    const kept = names.filter((name) => name !== 'svc_migration').sort()
    return Promise.all(
      kept.map(async (name) => {
        const indexes = await db.collection(name).indexes()
        return [name, indexes.map((index) => index.name).sort()]
      })
    )
  }
  const empty = async () => void (await db.dropDatabase())
  return { empty, connector, open, schema, atomic: false }
}
