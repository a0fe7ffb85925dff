/** The suite of the `jobs` brick: what the store of jobs promises, on every engine. */
import assert from 'node:assert/strict'
import { laneCases } from 'svc-queue/conformance'
import { UniqueViolation } from 'svc-stores'
import {
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  type Operations,
  runCases
} from 'svc-stores/conformance'
import { batchCases } from './batch-cases.ts'
import { aJob, claimed, DONE, idOf, stateOf } from './job-fixtures.ts'
import type { JobFilter, JobStore } from './job-store.ts'
import { progressCases } from './progress-cases.ts'
import { purgeCases } from './purge-cases.ts'
import { stepCases } from './step-cases.ts'
import { systemCases } from './system-cases.ts'
import { uniquePeriodCases } from './unique-period-cases.ts'

const operations: Operations<JobStore> = {
  queue: (store) => store.queue.counts(),
  batches: (store) => store.batches.load([idOf(1)]),
  steps: (store) => store.steps.load(idOf(1)),
  add: (store) => store.add([aJob(1)]),
  addBatch: (store) => store.addBatch({ id: idOf(1), jobs: [aJob(1)], after: [], next: null }),
  load: (store) => store.load([idOf(1)]),
  list: (store) => store.list({}, 1),
  counts: (store) => store.counts({}, 10),
  begin: (store) => store.begin([idOf(1)]),
  end: (store) => store.end([idOf(1)], DONE),
  progress: (store) => store.progress(idOf(1), { value: 0, text: null }),
  fail: (store) => store.fail(idOf(1), { attempts: 1, reason: 'no', dueAt: 0 }),
  release: (store) => store.release([idOf(1)]),
  interrupted: (store) => store.interrupted(idOf(1)),
  cancel: (store) => store.cancel(idOf(1)),
  retry: (store) => store.retry(idOf(1)),
  purge: (store) => store.purge(0)
}

const cases: readonly ConformanceCase<JobStore>[] = [
  [
    'a job is stored whole, and waits in the queue',
    async ({ store, clock }) => {
      const cause = { user: 'ä@x.io', token: 'session', requestId: 'req-1', job: null }
      const given = aJob(1, { cause, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` })
      await store.add([given])
      const { delayMs: _, ...columns } = given
      const times = { addedAt: clock.now(), dueAt: clock.now(), startedAt: null, endedAt: null }
      const counts = { attempts: 0, interruptions: 0 }
      const alone = { uniqueUntil: null, batch: null, followed: null, progress: null }
      const expected = { ...columns, ...times, ...counts, ...alone, key: null, state: 'waiting', reason: null }
      assert.deepEqual(await store.load([given.id]), [expected])
      assert.deepEqual(await claimed(store), [given.id])
    }
  ],
  [
    'a job keeps its cause, and has none where none was given',
    async ({ store }) => {
      const cause = { user: null, token: null, requestId: 'req-1', job: idOf(9) }
      await store.add([aJob(1, { cause }), aJob(2)])
      await store.end([1, 2].map(idOf), { state: 'failed', attempts: 1, reason: 'no' })
      for (const number of [1, 2]) await store.retry(idOf(number))
      const jobs = new Map((await store.load([1, 2].map(idOf))).map((job) => [job.id, job.cause]))
      assert.deepEqual([jobs.get(idOf(1)), jobs.get(idOf(2))], [cause, null])
    }
  ],
  [
    'an end takes the place of the bodies of its jobs where it has one, and of no other',
    async ({ store }) => {
      await store.add([aJob(1), aJob(2), aJob(3)])
      await store.end([1, 2].map(idOf), { ...DONE, body: {} })
      await store.end([idOf(3)], DONE)
      const jobs = new Map((await store.load([1, 2, 3].map(idOf))).map((job) => [job.id, job.body]))
      assert.deepEqual([jobs.get(idOf(1)), jobs.get(idOf(2)), jobs.get(idOf(3))], [{}, {}, aJob(3).body])
    }
  ],
  [
    'a delayed job waits for its time',
    async ({ store, clock }) => {
      await store.add([aJob(1, { delayMs: 60_000 }), aJob(2)])
      assert.deepEqual(await claimed(store), [idOf(2)])
      clock.advance(60_000)
      assert.deepEqual(await claimed(store), [idOf(1)])
    }
  ],
  [
    'of fifty jobs with one unique key that are added at once, one is stored',
    async ({ store }) => {
      const added = await atOnce(50, (index) => store.add([aJob(index + 1, { uniqueKey: 'one' })]))
      const ids = new Set(added.flat().map(({ id }) => id))
      assert.equal(ids.size, 1)
      assert.deepEqual(await claimed(store), [...ids])
    }
  ],
  [
    'a unique key is free again once its job has ended, was cancelled or parked',
    async ({ store }) => {
      const endings = [
        (id: string) => store.end([id], DONE),
        (id: string) => store.end([id], { state: 'parked', attempts: 1, reason: 'no' }),
        (id: string) => store.cancel(id)
      ]
      for (const [index, end] of endings.entries()) {
        const [job] = await store.add([aJob(index + 1, { uniqueKey: 'one' })])
        assert.equal(job?.id, idOf(index + 1))
        await end(idOf(index + 1))
      }
    }
  ],
  [
    'a job that has ended keeps its end',
    async ({ store }) => {
      await store.add([aJob(1), aJob(2)])
      assert.equal((await store.cancel(idOf(1)))?.state, 'cancelled')
      assert.deepEqual(await store.begin([1, 2, 3].map(idOf)), [idOf(1), idOf(3)])
      assert.deepEqual(await store.begin([idOf(2)]), [])
      await store.fail(idOf(1), { attempts: 1, reason: 'no', dueAt: 0 })
      await store.end([idOf(1), idOf(2)], DONE)
      assert.equal(await stateOf(store, 1), 'cancelled')
      assert.equal((await store.cancel(idOf(2)))?.state, 'done')
    }
  ],
  [
    'a failed job waits for its next attempt, with the reason',
    async ({ store, clock }) => {
      await store.add([aJob(1)])
      await store.begin([idOf(1)])
      assert.equal(await stateOf(store, 1), 'running')
      await store.fail(idOf(1), { attempts: 1, reason: 'no route', dueAt: clock.now() + 1000 })
      const [job] = await store.load([idOf(1)])
      assert.deepEqual(
        [job?.state, job?.attempts, job?.reason, job?.dueAt],
        ['waiting', 1, 'no route', clock.now() + 1000]
      )
    }
  ],
  [
    'a job that has failed, was parked or cancelled can be retried; another one cannot',
    async ({ store }) => {
      await store.add([1, 2, 3, 4].map((number) => aJob(number)))
      const taken = await claimed(store)
      await store.queue.settle('worker', { ended: taken, retried: [], released: [] })
      await store.end([idOf(1)], { state: 'failed', attempts: 3, reason: 'no' })
      await store.end([idOf(2)], { state: 'parked', attempts: 1, reason: 'no' })
      await store.cancel(idOf(3))
      await store.end([idOf(4)], DONE)
      for (const number of [1, 2, 3]) assert.equal((await store.retry(idOf(number)))?.state, 'waiting')
      assert.equal(await store.retry(idOf(4)), null)
      assert.equal(await store.retry(idOf(5)), null)
      assert.deepEqual(await claimed(store), [1, 2, 3].map(idOf))
    }
  ],
  [
    'a job that a worker still holds is not retried, and one that waited goes with its cancellation',
    async ({ store }) => {
      await store.add([aJob(1), aJob(2, { delayMs: 60_000 })])
      const taken = await claimed(store)
      await store.end([idOf(1)], { state: 'failed', attempts: 1, reason: 'no' })
      await assert.rejects(store.retry(idOf(1)), { code: 'SVC_JOBS_ENDING' })
      assert.equal(await stateOf(store, 1), 'failed')
      await store.queue.settle('worker', { ended: taken, retried: [], released: [] })
      assert.equal((await store.retry(idOf(1)))?.state, 'waiting')
      await store.cancel(idOf(2))
      assert.equal((await store.queue.counts()).waiting, 1)
      await store.retry(idOf(2))
      assert.deepEqual(await claimed(store), [1, 2].map(idOf), 'due at once')
    }
  ],
  [
    'an interrupted attempt waits again and does not count; one that ended with its process is counted',
    async ({ store }) => {
      await store.add([aJob(1), aJob(2)])
      assert.equal(await store.interrupted(idOf(1)), 0)
      await store.begin([idOf(1), idOf(2)])
      assert.equal(await store.interrupted(idOf(1)), 1)
      assert.equal(await store.interrupted(idOf(1)), 2)
      await store.end([idOf(2)], DONE)
      await store.release([idOf(1), idOf(2)])
      const [first, second] = await Promise.all([1, 2].map((number) => store.load([idOf(number)])))
      assert.deepEqual([first?.[0]?.state, first?.[0]?.attempts, second?.[0]?.state], ['waiting', 0, 'done'])
    }
  ],
  [
    'a job that is retried has its unique key again, unless another job has it',
    async ({ store }) => {
      await store.add([aJob(1, { uniqueKey: 'one' })])
      await store.cancel(idOf(1))
      assert.equal((await store.retry(idOf(1)))?.uniqueKey, 'one')
      assert.equal((await store.add([aJob(2, { uniqueKey: 'one' })]))[0]?.id, idOf(1))
      await store.cancel(idOf(1))
      await store.add([aJob(3, { uniqueKey: 'one' })])
      await assert.rejects(store.retry(idOf(1)), UniqueViolation)
      assert.equal(await stateOf(store, 1), 'cancelled')
    }
  ],
  [
    'a job keeps its priority, also when it is retried, and goes before others of its lane',
    async ({ store }) => {
      await store.add([aJob(1), aJob(2, { priority: 'urgent' })])
      await store.queue.heartbeat('worker')
      const next = async () => (await store.queue.claim('worker', 1, () => 1)).map(({ id }) => id)
      assert.deepEqual(await next(), [idOf(2)])
      await store.queue.settle('worker', { ended: [idOf(2)], retried: [], released: [] })
      await store.end([idOf(2)], { state: 'failed', attempts: 1, reason: 'no' })
      assert.equal((await store.retry(idOf(2)))?.priority, 'urgent')
      assert.deepEqual(await next(), [idOf(2)])
    }
  ],
  [
    'lists have the newest first, by state and name, page after page, without bodies',
    async ({ store }) => {
      const name = (number: number) => (number % 2 === 0 ? 'mail' : 'report')
      await store.add([1, 2, 3, 4, 5, 6, 7].map((number) => aJob(number, { name: name(number) })))
      await store.end([idOf(2), idOf(4), idOf(5)], DONE)
      const list = async (filter: JobFilter, limit: number, before?: number) => {
        const jobs = await store.list(filter, limit, before === undefined ? undefined : idOf(before))
        return jobs.map((job) => ('body' in job ? Number.NaN : Number(job.id.slice(-12))))
      }
      assert.deepEqual(await list({}, 3), [7, 6, 5])
      assert.deepEqual(await list({}, 10, 5), [4, 3, 2, 1])
      assert.deepEqual(await list({ state: 'done' }, 2), [5, 4])
      assert.deepEqual(await list({ state: 'done' }, 2, 4), [2])
      assert.deepEqual(await list({ name: 'mail' }, 10), [6, 4, 2])
      assert.deepEqual(await list({ name: 'report' }, 2, 7), [5, 3])
      assert.deepEqual(await list({ name: 'mail', state: 'done' }, 10), [4, 2])
      await store.end([idOf(6)], { state: 'failed', attempts: 1, reason: 'no' })
      assert.deepEqual(await list({ state: ['failed', 'done'] }, 3), [6, 5, 4])
      assert.deepEqual(await list({ state: ['failed', 'done'] }, 10, 5), [4, 2])
      assert.deepEqual(await list({ name: 'mail', state: ['done', 'failed', 'failed'] }, 10), [6, 4, 2])
      assert.deepEqual(await list({ state: [] }, 10), [])
    }
  ],
  [
    'counts are of each state, of all jobs or of a name, with the time since when the first job that is due waits',
    async ({ store, clock }) => {
      const none = { blocked: 0, waiting: 0, running: 0, done: 0, failed: 0, parked: 0, cancelled: 0 }
      assert.deepEqual(await store.counts({}, 10), { states: none, most: 10, waitingSince: null })
      const begun = clock.now()
      const report = { name: 'report' }
      await store.add([aJob(1, { delayMs: 60_000 }), aJob(2), aJob(3, report), aJob(4), aJob(5), aJob(6, report)])
      await store.end([idOf(2)], DONE)
      await store.end([idOf(6)], { state: 'parked', attempts: 1, reason: 'no' })
      await store.begin([idOf(4)])
      clock.advance(1000)
      await store.fail(idOf(3), { attempts: 1, reason: 'no', dueAt: clock.now() + 500 })
      const all = { ...none, waiting: 3, running: 1, done: 1, parked: 1 }
      assert.deepEqual(await store.counts({}, 10), { states: all, most: 10, waitingSince: begun })
      assert.deepEqual(await store.counts(report, 10), {
        states: { ...none, waiting: 1, parked: 1 },
        most: 10,
        waitingSince: null
      })
      clock.advance(500)
      assert.equal((await store.counts(report, 10)).waitingSince, begun + 1500)
      assert.equal((await store.counts({ name: 'none' }, 10)).states.waiting, 0)
      for (const [most, waiting] of [
        [2, 2],
        [3, 3],
        [4, 3]
      ] as const) {
        assert.deepEqual((await store.counts({}, most)).states, { ...all, waiting }, `up to ${most}`)
      }
    }
  ],
  [
    'the purge removes jobs that have ended before a time, and no others',
    async ({ store, clock }) => {
      await store.add([1, 2, 3].map((number) => aJob(number)))
      await store.end([idOf(1)], DONE)
      const before = clock.now()
      clock.advance(1000)
      await store.end([idOf(2)], DONE)
      assert.equal(await store.purge(before), 1)
      assert.deepEqual(await Promise.all([1, 2, 3].map((number) => stateOf(store, number))), [null, 'done', 'waiting'])
    }
  ],
  ...laneCases(async (clock, ms) => clock.advance(ms)).map(
    ([name, run]): ConformanceCase<JobStore> => [
      `its queue: ${name}`,
      (given) => run({ ...given, store: given.store.queue })
    ]
  )
]

/** Proves a store of jobs. @param runner tap's `t`, or any runner with `test(name, body)` */
export function jobStoreConformance(runner: ConformanceRunner, subject: ConformanceSubject<JobStore>): Promise<void> {
  const every = [
    ...cases,
    ...purgeCases,
    ...uniquePeriodCases,
    ...batchCases,
    ...stepCases,
    ...systemCases,
    ...progressCases
  ]
  return runCases(runner, every, subject, operations)
}
