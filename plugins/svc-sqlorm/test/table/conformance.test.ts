/** The suite of the storage port on SQLite in memory, SQLite in a file, and PostgreSQL. */
import { tableConformance } from 'svc-stores/conformance'
import type { Database, TablePlan } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { unopenedDatabase } from '../support/open-connector.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

t.setTimeout(120_000)

async function suite(t: Test, url: string): Promise<void> {
  const open = async (plans: readonly TablePlan[]): Promise<Database> => {
    const { connection, database } = unopenedDatabase(url)
    for (const plan of plans) database.table(plan)
    await connection.open()
    t.teardown(() => connection.close())
    return database
  }
  await tableConformance({ test: (name, body) => t.test(name, body) }, { open })
}

t.test('SQLite in memory', (t) => suite(t, 'sqlite::memory:'))

t.test('SQLite in a file', (t) => suite(t, `sqlite:${temporaryFolder(t)}/app.db`))

await onPostgres(async (t, server) => suite(t, await server.createDatabase()))
