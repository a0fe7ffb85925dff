/** A database says what time it is there: of the same machine, between what its clock says before and after. */
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { unopenedDatabase } from '../support/open-connector.ts'

async function tellsTime(t: Test, url: string): Promise<void> {
  const { connection, database } = unopenedDatabase(url)
  t.teardown(() => connection.close())
  await connection.open()
  const before = Date.now()
  const there = await database.now()
  const after = Date.now()
  t.ok(Math.floor(there) >= before && Math.floor(there) <= after, `${before} ${there} ${after}`)
  await connection.close()
  await t.rejects(database.now())
}

t.test('SQLite', async (t) => tellsTime(t, 'sqlite::memory:'))
await onPostgres(async (t, server) => tellsTime(t, await server.createDatabase()))
