/**
 * Many jobs are added before the statistics of PostgreSQL know of them. Beside a history of jobs that have ended it takes jobs
 * that wait for rare; where no others are, it would rather read all. What the begin and the end of an attempt read does not
 * depend on how many wait.
 */
import { CompiledQuery, type Kysely } from 'kysely'
import { ManualClock } from 'svc-stores/conformance'
import { queriesOf, readOnPostgres } from '../support/entries-read.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { openStore } from '../support/open-store.ts'

const ENDED = 2_000
const WAITING = 1_000
const WAITING_ALONE = 10_000
/** Jobs that begin and end together. */
const AT_ONCE = 20
/** As many as are claimed together. */
const MOST_AT_ONCE = 100
const JOB = { name: 'n', lane: 'l', body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
const ENDINGS = [
  { state: 'done', attempts: 1, reason: null },
  { state: 'failed', attempts: 1, reason: 'no' }
] as const

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => idOf(first + index))

/** @returns how many entries a statement of some work reads: after the work, or instead of it, as what is deleted has no entries then */
function readerOf(db: Kysely<unknown>) {
  const entriesRead = readOnPostgres(db, {})
  return async (work: () => Promise<unknown>, isDone = true) => {
    const queries = await queriesOf(work, isDone)
    let read = 0
    for (const query of queries) read += await entriesRead(query)
    return read / queries.length
  }
}

await onPostgres(async (t, server) => {
  await t.test('jobs that wait, and that statistics do not know', async (t) => {
    const { store, database } = await openStore(await server.createDatabase(), 'jobs', new ManualClock())
    t.teardown(() => database.close())
    const db = database.native
    const run = (text: string) => db.executeQuery(CompiledQuery.raw(text))
    await run('alter table svc_job set (autovacuum_enabled = false)')
    const history = idsFrom(0, ENDED)
    await store.add(history.map((id) => ({ ...JOB, id })))
    await store.end(history, ENDINGS[0])
    await run('vacuum analyze svc_job')
    await store.add(idsFrom(ENDED, WAITING).map((id) => ({ ...JOB, id })))

    const readBy = readerOf(db)
    for (const [place, ending] of ENDINGS.entries()) {
      const ids = idsFrom(ENDED + place * AT_ONCE, AT_ONCE)
      for (const [name, work] of [
        ['begin', () => store.begin(ids)],
        ['end', () => store.end(ids, ending)],
        ['the end of what has ended', () => store.end(ids, ending)]
      ] as const) {
        const read = await readBy(work)
        t.ok(read > 0 && read <= AT_ONCE, `${name}, ${ending.state}: ${read} entries a statement`)
      }
    }
  })

  await t.test('jobs that wait in a table of their own', async (t) => {
    const { store, database } = await openStore(await server.createDatabase(), 'jobs', new ManualClock())
    t.teardown(() => database.close())
    const db = database.native
    for (const table of ['svc_job', 'svc_job_queue'])
      await db.executeQuery(CompiledQuery.raw(`alter table ${table} set (autovacuum_enabled = false)`))
    for (let first = 0; first < WAITING_ALONE; first += WAITING)
      await store.add(idsFrom(first, WAITING).map((id) => ({ ...JOB, id })))
    const readBy = readerOf(db)
    const ids = idsFrom(0, MOST_AT_ONCE)
    for (const [name, work] of [
      ['load', () => store.load(ids)],
      ['begin', () => store.begin(ids)],
      ['end', () => store.end(ids, ENDINGS[0])],
      ['settle', () => store.queue.settle('worker', { ended: ids, retried: [], released: [] })]
    ] as const) {
      const read = await readBy(work, name !== 'settle')
      t.ok(read > 0 && read <= MOST_AT_ONCE, `${name}: ${read} entries a statement`)
    }
  })
})
