/**
 * Six hours of jobs that come and go, while nothing cleans up behind them: what a claim reads stays bounded. Entries are
 * counted, dead ones too: PostgreSQL is kept from vacuuming. Where another client keeps its snapshot meanwhile, each dead
 * row is read once a second until that ends, and none after it.
 */
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { type EntriesRead, queriesOf, readOnPostgres, readOnSqlite } from '../support/entries-read.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { type OpenStore, openStore } from '../support/open-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Six hours, in steps of five minutes. */
const STEPS = 72
const STEP_MS = 300_000
/** Of each step. */
const JOBS = 40
/** The first that is due, its lane, and the one that is taken, each with a look for it. */
const MOST_READ = 10
const JOB = { name: 'n', lane: 'l', body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
const DONE = { state: 'done', attempts: 1, reason: null } as const

let made = 0
const jobs = (count: number) =>
  Array.from({ length: count }, () => {
    made += 1
    return { ...JOB, id: `00000000-0000-7000-8000-${String(made).padStart(12, '0')}` }
  })

async function churn({ store }: OpenStore<'jobs'>, clock: ManualClock): Promise<void> {
  const { queue } = store
  for (let step = 0; step < STEPS; step += 1) {
    await store.add(jobs(JOBS))
    clock.advance(STEP_MS)
    const taken = (await queue.claim('worker', JOBS, () => JOBS)).map(({ id }) => id)
    await store.begin(taken)
    await store.end(taken, DONE)
    await queue.settle('worker', { ended: taken, retried: [], released: [] })
  }
}

/** Of all statements of a claim that takes one of three jobs. */
async function readByClaim({ store }: OpenStore<'jobs'>, entriesRead: EntriesRead): Promise<number> {
  await store.add(jobs(3))
  const queries = await queriesOf(() => store.queue.claim('worker', 1, () => 1), true)
  let read = 0
  for (const query of queries) read += await entriesRead(query)
  return read
}

t.test('SQLite', async (t) => {
  const clock = new ManualClock()
  const file = join(temporaryFolder(t), 'jobs.db')
  const opened = await openStore(`sqlite:${file}`, 'jobs', clock)
  t.teardown(() => opened.database.close())
  await opened.store.queue.heartbeat('worker')
  await churn(opened, clock)
  const counting = readOnSqlite(file)
  t.teardown(() => counting.close())
  const read = await readByClaim(opened, counting.entriesRead)
  t.ok(read > 0 && read <= MOST_READ, `${read} entries`)
})

await onPostgres(async (t, server) => {
  const open = async (t: Test) => {
    const clock = new ManualClock()
    const opened = await openStore(await server.createDatabase(), 'jobs', clock)
    t.teardown(() => opened.database.close())
    const db = opened.database.native
    for (const table of ['svc_job', 'svc_job_queue'])
      await db.executeQuery(CompiledQuery.raw(`alter table ${table} set (autovacuum_enabled = false)`))
    await opened.store.queue.heartbeat('worker')
    return { opened, clock, db, entriesRead: readOnPostgres(db, {}) }
  }

  await t.test('nothing is vacuumed', async (t) => {
    const { opened, clock, entriesRead } = await open(t)
    await churn(opened, clock)
    const read = await readByClaim(opened, entriesRead)
    t.ok(read > 0 && read <= MOST_READ, `${read} entries`)
  })

  await t.test('another client keeps its snapshot meanwhile', async (t) => {
    const { opened, clock, db, entriesRead } = await open(t)
    const held = await db.connection().execute(async (other) => {
      const run = (text: string) => other.executeQuery(CompiledQuery.raw(text))
      await run('begin isolation level repeatable read')
      await run('select count(*) from svc_job')
      await churn(opened, clock)
      clock.advance(STEP_MS)
      const whole = await readByClaim(opened, entriesRead)
      const next = await readByClaim(opened, entriesRead)
      await run('rollback')
      return { whole, next }
    })
    // Nothing was vacuumed: each job left its row, and some are counted by their pages.
    t.ok(held.whole > (STEPS * JOBS) / 2, `${held.whole} entries from the beginning, while it did`)
    t.ok(held.next > 0 && held.next <= MOST_READ, `${held.next} entries from the last one on`)
    // The first look from the beginning finds the dead ones, and passes over them for good.
    clock.advance(STEP_MS)
    await readByClaim(opened, entriesRead)
    const read = await readByClaim(opened, entriesRead)
    t.ok(read > 0 && read <= MOST_READ, `${read} entries once it is gone`)
  })
})
