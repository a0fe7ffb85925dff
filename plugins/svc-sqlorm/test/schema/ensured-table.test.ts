/** Tables that are made once the connection is open, such as that of locks. */
import { sql } from 'kysely'
import type { TablePlan } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { unopenedDatabase } from '../support/open-connector.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Row {
  readonly id: string
  readonly count: number
}

const plan: TablePlan = {
  name: 'late_table',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'count', type: 'integer' }
  ]
}

async function ensures(t: Test, url: string): Promise<void> {
  const { connection, database } = unopenedDatabase(url)
  const other = unopenedDatabase(url)
  t.teardown(() => Promise.all([connection.close(), other.connection.close()]))
  await t.test('before the connection opens, it is declared as any other', async (t) => {
    const table = await other.database.ensureTable<Row>(plan)
    await other.connection.open()
    t.equal(await table.count([]), 0)
    await other.connection.native.schema.dropTable(plan.name).execute()
  })
  await connection.open()
  t.throws(() => database.table({ ...plan, name: 'never' }), TypeError, 'a table is declared before')
  const [table, same] = await Promise.all([database.ensureTable<Row>(plan), database.ensureTable<Row>(plan)])
  t.equal(table, same)
  t.equal(table, database.table(plan))
  await table.insert([{ id: 'a', count: 1 }])
  await t.rejects(database.ensureTable({ ...plan, columns: [] }), TypeError, 'another plan has the name')
  t.ok((await database.reset()).includes(plan.name), 'it is reset as any other')
  t.equal(await table.count([]), 0)
  await connection.native.schema
    .createTable('taken')
    .addColumn('id', 'text', (id) => id.primaryKey())
    .execute()
  await sql`insert into taken values ('a')`.execute(connection.native)
  const taken = await database.ensureTable<Row>({ ...plan, name: 'taken' })
  await t.rejects(
    taken.insert([{ id: 'b', count: 1 }]),
    { code: 'SVC_ORM_REQUIRED_COLUMN' },
    'a column that cannot be added'
  )
}

t.test('SQLite', (t) => ensures(t, `sqlite:${temporaryFolder(t)}/app.db`))

await onPostgres(async (t, server) => ensures(t, await server.createDatabase()))

t.test('a connection that is not open refuses', async (t) => {
  const { connection, database } = unopenedDatabase('sqlite::memory:')
  await connection.open()
  await connection.close()
  await t.rejects(database.ensureTable(plan), { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 })
})
