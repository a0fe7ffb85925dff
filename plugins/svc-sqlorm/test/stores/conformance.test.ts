/**
 * Every brick on SQLite in memory, SQLite in a file, and PostgreSQL: the suites that the memory stores pass too, and
 * what a store does while its database is away.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { auditStoreConformance } from 'svc-audit/conformance'
import { jobStoreConformance, scheduleStoreConformance } from 'svc-jobs/conformance'
import type { Clock } from 'svc-kernel'
import { limitsStoreConformance } from 'svc-limits/conformance'
import { instancesStoreConformance } from 'svc-ops/conformance'
import { queueConformance } from 'svc-queue/conformance'
import {
  attemptsStoreConformance,
  idempotencyStoreConformance,
  passkeysStoreConformance,
  providerSessionsStoreConformance,
  sessionStoreConformance,
  tokensStoreConformance,
  totpStoreConformance,
  userStoreConformance
} from 'svc-security/conformance'
import type { ConformanceRunner, ConformanceSubject, FailingStore } from 'svc-stores/conformance'
import { historyStoreConformance, webhooksStoreConformance } from 'svc-webhooks/conformance'
import t, { type Test } from 'tap'
import type { LiveConnection } from '../../src/connection/live-connection.ts'
import type { ConnectorOptions } from '../../src/options.ts'
import { BRICKS, type Brick, type StoreOf } from '../support/every-store.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { openStore, unopenedStore } from '../support/open-store.ts'
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
  deliveries: (t, subject) => queueConformance(t, { ...subject, lanes: false }),
  history: historyStoreConformance,
  audit: auditStoreConformance,
  idempotency: idempotencyStoreConformance,
  providerSessions: providerSessionsStoreConformance,
  attempts: attemptsStoreConformance,
  limits: limitsStoreConformance,
  instances: instancesStoreConformance,
  jobs: jobStoreConformance,
  schedules: scheduleStoreConformance
}

interface Outage {
  /** Whether the database is open when it leaves. */
  readonly isOpen: boolean
  readonly settings?: Omit<ConnectorOptions, 'url'>
  leave(database: LiveConnection): Promise<unknown> | unknown
  comeBack(database: LiveConnection): Promise<unknown> | unknown
}

/** Stores of a brick, one after the other, each empty: the tables of one database are emptied in between. */
async function suite<Name extends Brick>(t: Test, brick: Name, url: string, outage: Outage): Promise<void> {
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
      closeStore: () => close?.(),
      faults: { unreachable: ({ clock }) => unreachable(t, brick, url, outage, clock) }
    }
  )
}

async function unreachable<Name extends Brick>(
  t: Test,
  brick: Name,
  url: string,
  { leave, isOpen, comeBack, settings }: Outage,
  clock: Clock
): Promise<FailingStore<StoreOf[Name]>> {
  const { store, database } = unopenedStore(url, brick, clock, undefined, settings)
  t.teardown(() => database.close())
  if (isOpen) await database.open()
  await leave(database)
  const recover = async () => {
    await comeBack(database)
    for (let turn = 0; turn < 2000 && (await database.health()).pingMs === null; turn += 1) await pause(5)
  }
  return { store, recover }
}

/** Another process holds the file while the application starts. */
function heldFile(path: string): Outage {
  let other: DatabaseSync | null = null
  return {
    isOpen: false,
    settings: { waitMs: 20 },
    leave: (database) => {
      other = new DatabaseSync(path)
      other.exec('pragma locking_mode = exclusive; begin exclusive')
      return database.open()
    },
    comeBack: () => {
      other?.exec('commit')
      other?.close()
    }
  }
}

/** What is in memory is away only until it is opened. */
const notOpenYet: Outage = { isOpen: false, leave: () => undefined, comeBack: (database) => database.open() }

t.setTimeout(300_000)

for (const brick of BRICKS) {
  t.test(`${brick}, SQLite in memory`, (t) => suite(t, brick, 'sqlite::memory:', notOpenYet))
  t.test(`${brick}, SQLite in a file`, (t) => {
    const path = `${temporaryFolder(t)}/app.db`
    return suite(t, brick, `sqlite:${path}`, heldFile(path))
  })
}

await onPostgres(async (t, server) => {
  const url = await server.createDatabase()
  const killed: Outage = { isOpen: true, leave: () => server.kill(), comeBack: () => server.start() }
  for (const brick of BRICKS) await t.test(brick, (t) => suite(t, brick, url, killed))
})
