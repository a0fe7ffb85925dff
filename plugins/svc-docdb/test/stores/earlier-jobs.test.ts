/** Jobs and lanes that were stored before there were priorities, rates and pauses: their documents have no such fields. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { documents } from '../support/documents.ts'
import { documentStores } from '../support/every-store.ts'
import { connectionTo } from '../support/open-connection.ts'

const JOB = { name: 'n', lane: 'l', body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
const idOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`

t.test('they run, before and beside later ones, and a lane with a rate begins', async (t) => {
  const { uri } = await documents(t)
  const connection = connectionTo(t, { uri })
  const clock = new ManualClock()
  const store = documentStores.jobs(connection, clock)
  await connection.open()
  await store.add([1, 2].map((number) => ({ ...JOB, id: idOf(number) })))
  const rules = { limits: () => ({ rate: { max: 60, perS: 60, burst: 1 } }), later: () => undefined }
  await store.queue.heartbeat('former')
  const before = await store.queue.claim('former', 1, () => 1, rules)
  await store.queue.settle('former', { ended: before.map(({ id }) => id), retried: [], released: [] })
  const { db } = connection
  await db.collection('job_queue').updateMany({}, { $unset: { priority: 1 } })
  await db.collection('job').updateMany({}, { $unset: { priority: 1 } })
  await db.collection('job_lane').updateMany({}, { $unset: { paused: 1, granted: 1, spentUs: 1 } })

  const later = documentStores.jobs(connection, clock)
  await later.add([{ ...JOB, id: idOf(3), priority: 'low' }])
  await later.queue.heartbeat('worker')
  const claim = async () => (await later.queue.claim('worker', 1, () => 1, rules)).map(({ id }) => id)
  t.strictSame(await claim(), [idOf(2)])
  t.strictSame(await claim(), [], 'the rate holds from then on')
  clock.advance(1_000)
  t.strictSame(await claim(), [idOf(3)])
  await later.cancel(idOf(2))
  await later.queue.settle('worker', { ended: [idOf(2)], retried: [], released: [] })
  await later.retry(idOf(2))
  clock.advance(1_000)
  t.strictSame((await claim()).length, 1, 'a job that had no priority is tried again')
})
