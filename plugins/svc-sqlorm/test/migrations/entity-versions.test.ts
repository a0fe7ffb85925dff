/** Random versions of an entity with random rows: what their migration makes of them, there and back, on both engines. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type CompiledEntity, EntityRepositories } from 'svc-orm'
import { compareMigrations } from 'svc-orm/conformance/migrations'
import t from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { unopenedDatabase } from '../support/open-connector.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function subject(url: string, runs: number, empty: () => Promise<void>) {
  const connector = async () => {
    const { connection, database } = unopenedDatabase(url)
    return { connector: database, close: () => connection.close() }
  }
  const open = async (entities: readonly CompiledEntity[]) => {
    const { connection, database } = unopenedDatabase(url)
    const repositories = new EntityRepositories({ database, entities })
    await connection.open()
    return { repositories, close: () => connection.close() }
  }
  const schema = async () => {
    const { connection } = unopenedDatabase(url)
    const { tables, indexes } = await connection.engine.existingSchema(connection.native)
    await connection.close()
    const own = (name: string) => !/^(?:svc|sqlite)_/.test(name)
    return {
      tables: [...tables]
        .filter(([name]) => own(name))
        .map(([name, columns]) => [name, [...columns.values()].sort((a, b) => (a.name < b.name ? -1 : 1))]),
      indexes: indexes
        .filter(({ table, name }) => own(table) && /_(?:idx|key)$/.test(name))
        .map(({ name }) => name)
        .sort()
    }
  }
  return { runs, empty, connector, open, schema, atomic: true }
}

t.test('SQLite', { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'app.db')
  const empty = async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  }
  await compareMigrations(subject(`sqlite:${path}`, 20, empty))
})

await onPostgres(async (t, server) => {
  await t.test('PostgreSQL', { timeout: 120_000 }, async () => {
    const url = await server.createDatabase()
    const empty = async () => {
      const { connection } = unopenedDatabase(url)
      await sql`drop schema public cascade`.execute(connection.native)
      await sql`create schema public`.execute(connection.native)
      await connection.close()
    }
    await compareMigrations(subject(url, 5, empty))
  })
})
