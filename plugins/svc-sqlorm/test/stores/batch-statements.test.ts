/** How many statements a batch of ten thousand jobs takes: by the chunk, never by the job. */
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { CapturedLog } from '../support/captured-log.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { openStore } from '../support/open-store.ts'

const JOBS = 10_000
/** What a worker gathers. */
const ENDED_AT_ONCE = 200
const NEXT = 'f0000000-0000-7000-8000-000000000000'
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

const aJob = (id: string) => {
  return { id, name: 'n', lane: 'l', body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
}

async function counted(t: Test, url: string) {
  const log = new CapturedLog()
  const clock = new ManualClock()
  const { store, database } = await openStore(url, 'jobs', clock, log)
  t.teardown(() => database.close())
  const statements = async (work: () => Promise<unknown>) => {
    const from = log.lines.length
    await work()
    return log.lines.length - from
  }
  const ids = Array.from({ length: JOBS }, (_, number) => idOf(number))
  const added = await statements(() =>
    store.addBatch({ id: 'batch', jobs: ids.map(aJob), after: [], next: aJob(NEXT) })
  )
  const ends: number[] = []
  for (let from = 0; from < JOBS; from += ENDED_AT_ONCE) {
    const some = ids.slice(from, from + ENDED_AT_ONCE)
    ends.push(await statements(() => store.end(some, { state: 'done', attempts: 1, reason: null })))
  }
  t.match(await store.load([NEXT]), [{ state: 'waiting' }])
  t.match(await store.batches.load(['batch']), [{ state: 'done', jobs: JOBS, left: 0 }])
  const alone = await statements(async () => {
    await store.add([aJob(idOf(JOBS))])
    await store.end([idOf(JOBS)], { state: 'done', attempts: 1, reason: null })
  })
  const purged = await statements(() => store.purge(clock.now()))
  t.equal((await store.list({ state: 'done' }, 1)).length, 0)
  // Job, place in the queue and membership: a hundred rows in a statement.
  t.ok(added <= (3 * JOBS) / 100 + 10, `${added} to add`)
  t.ok(Math.max(...ends) <= 15, `${Math.max(...ends)} to end ${ENDED_AT_ONCE}`)
  t.ok(alone <= 5, `${alone} to add and end a job of no batch`)
  t.ok(purged <= JOBS / 20, `${purged} to purge`)
}

t.test('SQLite', (t) => counted(t, 'sqlite::memory:'))

await onPostgres(async (t, server) => counted(t, await server.createDatabase()))
