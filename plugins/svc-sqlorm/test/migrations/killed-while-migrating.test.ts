/** A process that dies in the middle of a migration leaves nothing of it behind, and keeps nobody else from running it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import type { LoadedMigration } from 'svc-orm/driver'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { unopenedDatabase } from '../support/open-connector.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CHILD = fileURLToPath(new URL('../support/migrating-child.js', import.meta.url))

async function killed(t: Test, url: string): Promise<void> {
  const { connection, database } = unopenedDatabase(url)
  t.teardown(() => connection.close())
  const db = connection.native as Kysely<unknown>
  const first: LoadedMigration = {
    name: '1',
    checksum: 'a',
    up: (m) => m.createTable('Article', { columns: [{ name: 'id', type: 'id' }] }),
    down: null
  }
  const run = (migrations: readonly LoadedMigration[]) =>
    database.migrations.run({ migrations, direction: 'up', steps: Infinity, check: () => undefined })
  await run([first])
  await sql`insert into article (id) values ('a')`.execute(db)

  const child = spawn(process.execPath, [CHILD, url], { stdio: 'ignore' })
  const [, signal] = await once(child, 'exit')
  t.equal(signal, 'SIGKILL', 'it died in its second step')

  const columns = async () => [...((await connection.engine.existingSchema(db)).tables.get('article')?.keys() ?? [])]
  t.strictSame(await columns(), ['id'])
  t.match(await database.migrations.executed(), [{ name: '1' }])
  const again: LoadedMigration = {
    name: '2',
    checksum: 'b',
    up: (m) => m.addColumn('Article', { name: 'sku', type: 'text' }, { fill: 'x' }),
    down: null
  }
  t.strictSame(await run([first, again]), ['2'])
  t.strictSame(await columns(), ['id', 'sku'])
}

t.test('SQLite', (t) => killed(t, `sqlite:${temporaryFolder(t)}/app.db`))

await onPostgres(async (t, server) => {
  await t.test('PostgreSQL', async (t) => killed(t, await server.createDatabase()))
})
