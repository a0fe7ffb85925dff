/** Tables of jobs and lanes that were made before there were priorities, rates and pauses: they get the columns, and their rows go on. */
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { openStore } from '../support/open-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const JOB = { name: 'n', lane: 'l', body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
const idOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`

async function goesOn(t: Test, url: string): Promise<void> {
  const clock = new ManualClock()
  const { store, database } = await openStore(url, 'jobs', clock)
  await store.add([1, 2].map((number) => ({ ...JOB, id: idOf(number) })))
  await store.queue.lanes?.pause('other')
  const { rows } = url.startsWith('sqlite')
    ? await database.native.executeQuery<{ name: string }>(
        CompiledQuery.raw(
          `select name from sqlite_master where type = 'index' and (sql like '%priority%' or sql like '%paused%')`
        )
      )
    : { rows: [] }
  const statements = [
    ...rows.map(({ name }) => `drop index "${name}"`),
    'alter table svc_job drop column priority',
    'alter table svc_job_queue drop column priority',
    ...['paused', 'granted', '"spentUs"'].map((column) => `alter table svc_job_lane drop column ${column}`)
  ]
  for (const statement of statements) await database.native.executeQuery(CompiledQuery.raw(statement))
  await database.close()

  const later = await openStore(url, 'jobs', clock)
  t.teardown(() => later.database.close())
  const { queue } = later.store
  await later.store.add([{ ...JOB, id: idOf(3), priority: 'urgent' }])
  t.strictSame((await later.store.load([idOf(1)]))[0]?.priority, 'normal')
  await queue.heartbeat('worker')
  const rules = { limits: () => ({ rate: { max: 60, perS: 60, burst: 2 } }), later: () => undefined }
  const claim = async (limit: number) => (await queue.claim('worker', limit, () => limit, rules)).map(({ id }) => id)
  t.strictSame(await claim(1), [idOf(3)])
  t.strictSame((await claim(9)).length, 1)
  clock.advance(1_000)
  t.strictSame((await claim(9)).length, 1)
  await queue.lanes?.pause('other')
  t.match(await queue.lanes?.list({ limit: 9 }), [
    { lane: 'l', held: 3 },
    { lane: 'other', paused: true }
  ])
}

t.test('SQLite', (t) => goesOn(t, `sqlite:${join(temporaryFolder(t), 'jobs.db')}`))

await onPostgres(async (t, server) => {
  await t.test('tables of jobs', async (t) => goesOn(t, await server.createDatabase()))
})
