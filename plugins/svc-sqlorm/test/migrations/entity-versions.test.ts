/** Random versions of an entity with random rows: what their migration makes of them, there and back, on both engines. */
import { compareMigrations } from 'svc-orm/conformance/migrations'
import t from 'tap'
import { postgresSubject, sqliteSubject } from '../support/migration-subject.ts'
import { onPostgres } from '../support/on-postgres.ts'

t.test('SQLite', { timeout: 120_000 }, async (t) => {
  await compareMigrations({ ...sqliteSubject(t), runs: 20 })
})

await onPostgres(async (t, server) => {
  await t.test('PostgreSQL', { timeout: 120_000 }, async () => {
    await compareMigrations({ ...(await postgresSubject(server)), runs: 5 })
  })
})
