/** Cases of the suite of jobs: batches, and jobs that follow others. */
import assert from 'node:assert/strict'
import { atOnce, type ConformanceCase } from 'svc-stores/conformance'
import { JobKeyTaken, UnknownJobBefore } from '../errors.ts'
import type { BatchRecord } from './batch-record.ts'
import { aJob, claimed, DONE, FAILED, idOf, stateOf } from './job-fixtures.ts'
import type { JobStore, NewRecord } from './job-store.ts'

const BATCH = idOf(900)
const NEXT = 800

const added = (store: JobStore, numbers: readonly number[], after: readonly number[] = []) =>
  store.addBatch({ id: BATCH, jobs: numbers.map((number) => aJob(number)), after: after.map(idOf), next: aJob(NEXT) })

const follow = (store: JobStore, number: number, after: readonly number[], changes: Partial<NewRecord> = {}) =>
  store.addBatch({ id: idOf(9000 + number), jobs: [], after: after.map(idOf), next: aJob(number, changes) })

const counts = async ({ batches }: JobStore, id = BATCH) => {
  const [batch] = (await batches.load([id])) as [BatchRecord]
  return [batch.state, batch.jobs, batch.left, batch.failed]
}

const ended = async (store: JobStore, numbers: readonly number[], how: typeof DONE | typeof FAILED = DONE) => {
  const { batches } = await store.end(numbers.map(idOf), how)
  return batches.map(({ state }) => state)
}

export const batchCases: readonly ConformanceCase<JobStore>[] = [
  [
    'the job that follows a batch is blocked until the last job is done, and then waits in the queue',
    async ({ store, clock }) => {
      const { jobs, next } = await added(store, [1, 2, 3])
      assert.deepEqual([jobs.map(({ state }) => state), next?.state], [['waiting', 'waiting', 'waiting'], 'blocked'])
      assert.deepEqual(await claimed(store), [1, 2, 3].map(idOf))
      assert.deepEqual(await ended(store, [1, 3]), [])
      assert.deepEqual([await counts(store), await stateOf(store, NEXT)], [['open', 3, 1, 0], 'blocked'])
      clock.advance(5000)
      assert.deepEqual(await ended(store, [2]), ['done'])
      const [job] = await store.load([idOf(NEXT)])
      assert.deepEqual([job?.state, job?.dueAt, await counts(store)], ['waiting', clock.now(), ['done', 3, 0, 0]])
      assert.deepEqual(await claimed(store), [idOf(NEXT)])
      assert.deepEqual(await ended(store, [2]), [], 'its end counts once')
      assert.deepEqual(await claimed(store), [])
    }
  ],
  [
    'a batch is stuck once all have ended and some are not done; it goes on when those are retried and done',
    async ({ store }) => {
      await added(store, [1, 2, 3])
      assert.deepEqual(await ended(store, [1], FAILED), [])
      assert.deepEqual(await ended(store, [2]), [])
      await store.cancel(idOf(3))
      assert.deepEqual([await counts(store), await stateOf(store, NEXT)], [['stuck', 3, 2, 2], 'blocked'])
      assert.deepEqual(
        (await store.batches.of(idOf(3))).map(({ state }) => state),
        ['stuck']
      )
      await store.retry(idOf(1))
      assert.deepEqual(await counts(store), ['open', 3, 2, 1])
      assert.deepEqual(await ended(store, [1]), ['stuck'])
      await store.retry(idOf(3))
      assert.deepEqual(await ended(store, [3]), ['done'])
      assert.deepEqual([await counts(store), await stateOf(store, NEXT)], [['done', 3, 0, 0], 'waiting'])
    }
  ],
  [
    'a job that follows and was cancelled stays so; retried, it is blocked again or waits, as its batch is',
    async ({ store }) => {
      await added(store, [1, 2])
      await store.cancel(idOf(NEXT))
      assert.equal((await store.retry(idOf(NEXT)))?.state, 'blocked')
      await store.cancel(idOf(NEXT))
      await ended(store, [1, 2])
      assert.equal(await stateOf(store, NEXT), 'cancelled')
      assert.equal((await store.retry(idOf(NEXT)))?.state, 'waiting')
      assert.deepEqual(await claimed(store), [1, 2, NEXT].map(idOf))
    }
  ],
  [
    'a batch without jobs is done at once, and one without a job that follows only counts',
    async ({ store }) => {
      const { batch, next } = await added(store, [])
      assert.deepEqual([batch.state, next?.state], ['done', 'waiting'])
      assert.deepEqual(await claimed(store), [idOf(NEXT)])
      await store.addBatch({ id: idOf(901), jobs: [aJob(1)], after: [], next: null })
      assert.deepEqual(await ended(store, [1]), ['done'])
      assert.deepEqual(await counts(store, idOf(901)), ['done', 1, 0, 0])
    }
  ],
  [
    'a job follows jobs that are there: those that are done do not count, those that failed are missing',
    async ({ store }) => {
      await store.add([1, 2, 3].map((number) => aJob(number)))
      await ended(store, [1])
      await ended(store, [2], FAILED)
      assert.equal((await follow(store, 10, [1])).next?.state, 'waiting')
      assert.equal((await follow(store, 11, [1, 2])).batch.state, 'stuck')
      assert.equal((await follow(store, 12, [1, 3, 3])).batch.state, 'open')
      // A job that follows may be followed, and one job by many.
      await follow(store, 13, [3, 12])
      await ended(store, [3])
      assert.deepEqual(await Promise.all([11, 12, 13].map((job) => stateOf(store, job))), [
        'blocked',
        'waiting',
        'blocked'
      ])
      await ended(store, [12])
      assert.equal(await stateOf(store, 13), 'waiting')
    }
  ],
  [
    'nothing is stored where a job is to follow one that is not there',
    async ({ store }) => {
      await store.add([aJob(1)])
      await assert.rejects(added(store, [2], [1, 3]), (error) => error instanceof UnknownJobBefore)
      assert.deepEqual(await Promise.all([2, NEXT].map((job) => stateOf(store, job))), [null, null])
      assert.deepEqual(await store.batches.load([BATCH]), [])
      assert.deepEqual(await claimed(store), [idOf(1)])
    }
  ],
  [
    'a job of a batch may be one that has its unique key; the one that follows may not',
    async ({ store }) => {
      await store.add([aJob(1, { uniqueKey: 'one' })])
      const unique = [2, 3, 4].map((number) => aJob(number, { uniqueKey: number === 2 ? 'one' : 'two' }))
      const { jobs } = await store.addBatch({ id: BATCH, jobs: unique, after: [], next: aJob(NEXT) })
      assert.deepEqual(
        jobs.map(({ id }) => id),
        [1, 3, 3].map(idOf)
      )
      assert.deepEqual(await counts(store), ['open', 2, 2, 0])
      await ended(store, [1])
      assert.deepEqual(await ended(store, [3]), ['done'])
      await store.add([aJob(5, { uniqueKey: 'three' })])
      const taken = follow(store, 6, [5], { uniqueKey: 'three' })
      await assert.rejects(taken, (error) => error instanceof JobKeyTaken)
      assert.deepEqual([await stateOf(store, 6), (await store.load([idOf(5)]))[0]?.followed], [null, null])
    }
  ],
  [
    'a delay of the job that follows counts from when it was added',
    async ({ store, clock }) => {
      await store.add([aJob(1)])
      await follow(store, 10, [1], { delayMs: 60_000 })
      clock.advance(20_000)
      await ended(store, [1])
      assert.deepEqual(await claimed(store), [idOf(1)])
      clock.advance(39_999)
      assert.deepEqual(await claimed(store), [])
      clock.advance(1)
      assert.deepEqual(await claimed(store), [idOf(10)])
    }
  ],
  [
    'of ends at once, one lets the job that follows go',
    async ({ store }) => {
      const numbers = Array.from({ length: 24 }, (_, index) => index + 1)
      await added(store, numbers)
      const states = await atOnce(24, (index) => ended(store, [index + 1]))
      assert.deepEqual(states.flat(), ['done'])
      assert.deepEqual(await counts(store), ['done', 24, 0, 0])
      assert.deepEqual(await claimed(store), [...numbers, NEXT].map(idOf))
    }
  ],
  [
    'a job that ends while others begin to follow it leaves none of them behind',
    async ({ store }) => {
      const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
      await store.add(numbers.map((number) => aJob(number)))
      await atOnce(36, async (index) => {
        const job = 1 + Math.floor(index / 3)
        if (index % 3 === 1) await ended(store, [job])
        else await follow(store, 100 + index, [job])
      })
      const waiting = (await store.list({ state: 'waiting' }, 100)).length
      assert.deepEqual([waiting, await store.list({ state: 'blocked' }, 100)], [24, []])
      assert.equal((await claimed(store)).length, 36)
    }
  ],
  [
    'a batch of more jobs than one statement takes',
    async ({ store, clock }) => {
      const numbers = Array.from({ length: 1_200 }, (_, index) => 2_000 + index)
      await store.add(numbers.slice(600).map((number) => aJob(number)))
      await added(store, numbers.slice(0, 600), numbers.slice(600))
      for (const from of [0, 400]) assert.deepEqual(await ended(store, numbers.slice(from, from + 400)), [])
      assert.deepEqual(await ended(store, numbers.slice(800)), ['done'])
      await ended(store, [NEXT])
      assert.equal(await store.purge(clock.now()), 1_201)
      assert.deepEqual(await store.batches.load([BATCH]), [])
    }
  ],
  [
    'the purge leaves the jobs of a batch until it is over; the job that follows a stuck one is cancelled then',
    async ({ store, clock }) => {
      await added(store, [1, 2])
      await follow(store, 10, [NEXT])
      await ended(store, [1], FAILED)
      clock.advance(1000)
      assert.equal(await store.purge(clock.now()), 0)
      clock.advance(1000)
      await ended(store, [2])
      assert.equal(await store.purge(clock.now() - 1), 0)
      clock.advance(1000)
      assert.equal(await store.purge(clock.now() - 1), 2)
      const [next] = await store.load([idOf(NEXT)])
      assert.deepEqual([next?.state, next?.endedAt], ['cancelled', clock.now()])
      assert.match(next?.reason ?? '', /before it was not done/)
      assert.deepEqual(await counts(store, idOf(9010)), ['stuck', 1, 1, 1])
      clock.advance(1000)
      assert.equal(await store.purge(clock.now() - 1), 1)
      assert.equal(await stateOf(store, 10), 'cancelled')
      clock.advance(1000)
      assert.equal(await store.purge(clock.now() - 1), 1)
    }
  ]
]
