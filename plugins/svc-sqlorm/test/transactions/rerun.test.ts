/** Work and deadlocks: lost by chance, done again; lost for good, refused. */
import { sql } from 'kysely'
import { TransactionConflict } from 'svc-orm/errors'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import type { LiveConnection } from '../../src/connection/live-connection.ts'
import { rerun } from '../../src/transactions/rerun.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { openStore } from '../support/open-store.ts'

/** Work that loses so many times, and counts its tries. */
function losing(times: number) {
  let tries = 0
  const work = async () => {
    tries += 1
    if (tries <= times) throw new TransactionConflict()
    return tries
  }
  return { work, tries: () => tries }
}

t.test('until it wins', async (t) => {
  for (const times of [0, 1, 4]) t.equal(await rerun(losing(times).work), times + 1)
})

t.test('but not for ever', async (t) => {
  const { work, tries } = losing(Number.POSITIVE_INFINITY)
  await t.rejects(rerun(work), { code: 'SVC_ORM_CONFLICT' })
  t.equal(tries(), 100)
})

t.test('any other error is told at once', async (t) => {
  let tries = 0
  const work = async () => {
    tries += 1
    throw new RangeError('no')
  }
  await t.rejects(rerun(work), RangeError)
  t.equal(tries, 1)
})

/** Until a statement waits for a lock of another. */
async function untilOneWaits(database: LiveConnection): Promise<void> {
  for (;;) {
    const { rows } = await database.run((db) => sql`select 1 from pg_locks where not granted`.execute(db))
    if (rows.length > 0) return
  }
}

/** The server counts them a moment later. */
async function hadDeadlock(database: LiveConnection): Promise<boolean> {
  const counted = sql`select 1 from pg_stat_database where datname = current_database() and deadlocks > 0`
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await database.run((db) => counted.execute(db))).rows.length > 0) return true
    await database.run((db) => sql`select pg_sleep(0.1)`.execute(db))
  }
  return false
}

async function deadlock(t: Test, url: string): Promise<void> {
  const clock = new ManualClock()
  const { store, database } = await openStore(url, 'session', clock)
  t.teardown(() => database.close())
  const session = { user: 'alice', content: {}, flash: {}, meta: {} }
  await store.create({ ...session, id: 'older' })
  clock.advance(1)
  await store.create({ ...session, id: 'newer' })
  const touch = (id: string) => sql`update svc_session set "updatedAt" = 1 where id = ${id}`
  let removal: Promise<number> | null = null
  await database.transaction(async (db) => {
    // It does not look for a deadlock in time: the other one does, and is undone.
    await sql`set local deadlock_timeout = '1min'`.execute(db)
    await touch('newer').execute(db)
    // Takes the older one, which comes first in the table, then waits for the newer one.
    removal = store.destroyByUser('alice')
    await untilOneWaits(database)
    // Each waits for the other now.
    await touch('older').execute(db)
  })
  t.equal(await removal, 2, 'done again, after the other')
  t.ok(await hadDeadlock(database), 'the server met a deadlock')
  t.equal(await store.count({}), 0)
}

await onPostgres(async (t, server) => {
  await t.test('a deadlock on the server', async (t) => deadlock(t, await server.createDatabase()))
})
