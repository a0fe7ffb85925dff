/** Databases for the suites of migrations: a file of SQLite, a database of PostgreSQL. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type CompiledEntity, EntityRepositories } from 'svc-orm/driver'
import type { Test } from 'tap'
import { unopenedDatabase } from './open-connector.ts'
import type { PostgresServer } from './postgres-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

export function sqliteSubject(t: Test) {
  const path = join(temporaryFolder(t), 'app.db')
  return subject(`sqlite:${path}`, async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
  })
}

export async function postgresSubject(server: PostgresServer) {
  const url = await server.createDatabase()
  return subject(url, async () => {
    const { connection } = unopenedDatabase(url)
    await sql`drop schema public cascade`.execute(connection.native)
    await sql`create schema public`.execute(connection.native)
    await connection.close()
  })
}

/** A database of this URL. @param empty takes away all that is in it */
function subject(url: string, empty: () => Promise<void>) {
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
    const references = await connection.engine.alteration.references(connection.native)
    await connection.close()
    const own = (name: string) => !/^(?:svc|sqlite)_/.test(name)
    return {
      tables: [...tables]
        .filter(([name]) => own(name))
        .map(([name, columns]) => [name, [...columns.values()].sort((a, b) => (a.name < b.name ? -1 : 1))] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
      references: references.map(({ name: _, ...each }) => JSON.stringify(each)).sort(),
      indexes: indexes
        .filter(({ table, name }) => own(table) && /_(?:idx|key)$/.test(name))
        .map(({ name }) => name)
        .sort()
    }
  }
  return { empty, connector, open, schema, atomic: true }
}
