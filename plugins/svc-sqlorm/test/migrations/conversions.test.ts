/** What becomes of a value when its field gets another type: the table of svc-orm, on both engines. */
import { compareConversions } from 'svc-orm/conformance/migrations'
import t from 'tap'
import { postgresSubject, sqliteSubject } from '../support/migration-subject.ts'
import { onPostgres } from '../support/on-postgres.ts'

const TITLE = 'M1: a value becomes one of its new type, or the migration stops and names the row'

t.test(`${TITLE}, on SQLite`, { timeout: 120_000 }, async (t) => {
  await compareConversions(sqliteSubject(t))
})

await onPostgres(async (t, server) => {
  await t.test(`${TITLE}, on PostgreSQL`, { timeout: 120_000 }, async () => {
    await compareConversions(await postgresSubject(server))
  })
})
