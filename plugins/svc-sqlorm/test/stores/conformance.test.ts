/** Every brick on SQLite in memory, SQLite in a file, and PostgreSQL: the suites that the memory stores pass too. */
import { sql } from 'kysely'
import { BRICKS, type Brick, type StoreOf } from 'svc-stores'
import {
  auditStoreConformance,
  type ConformanceRunner,
  type ConformanceSubject,
  idempotencyStoreConformance,
  passkeysStoreConformance,
  sessionStoreConformance,
  tokensStoreConformance,
  totpStoreConformance,
  userStoreConformance,
  webhooksStoreConformance
} from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { openStore } from '../support/open-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Suites = {
  readonly [Name in Brick]: (t: ConformanceRunner, subject: ConformanceSubject<StoreOf[Name]>) => Promise<void>
}

const suites: Suites = {
  session: sessionStoreConformance,
  user: userStoreConformance,
  tokens: tokensStoreConformance,
  passkeys: passkeysStoreConformance,
  totp: totpStoreConformance,
  webhooks: webhooksStoreConformance,
  audit: auditStoreConformance,
  idempotency: idempotencyStoreConformance
}

/** Stores of a brick, one after the other, each empty: the tables of one database are emptied in between. */
async function suite<Name extends Brick>(t: Test, brick: Name, url: string): Promise<void> {
  let close: (() => Promise<void>) | null = null
  await suites[brick](
    { test: (name, body) => t.test(name, body) },
    {
      makeStore: async ({ clock }) => {
        const { store, database } = await openStore(url, brick, clock)
        close = () => database.close()
        const { tables } = await database.run((db) => database.engine.existingSchema(db))
        for (const name of tables.keys()) await database.run((db) => sql`delete from ${sql.table(name)}`.execute(db))
        return store
      },
      closeStore: () => close?.()
    }
  )
}

for (const brick of BRICKS) {
  t.test(`${brick}, SQLite in memory`, (t) => suite(t, brick, 'sqlite::memory:'))
  t.test(`${brick}, SQLite in a file`, (t) => suite(t, brick, `sqlite:${temporaryFolder(t)}/app.db`))
}

await onPostgres(async (t, server) => {
  const url = await server.createDatabase()
  for (const brick of BRICKS) await t.test(brick, (t) => suite(t, brick, url))
})
