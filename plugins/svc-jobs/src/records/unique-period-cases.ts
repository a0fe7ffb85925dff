/** Cases of the suite of jobs: a unique key that a job keeps for a time once it is done. */
import assert from 'node:assert/strict'
import { atOnce, type ConformanceCase } from 'svc-stores/conformance'
import { aJob, claimed, DONE, FAILED, idOf, stateOf } from './job-fixtures.ts'
import type { JobStore } from './job-store.ts'

const KEPT = { ...DONE, keepsKey: true } as const
const HOUR = 3_600_000

export const uniquePeriodCases: readonly ConformanceCase<JobStore>[] = [
  [
    'a job that is done keeps its unique key until its time, and gives it to one of many then',
    async ({ store, clock }) => {
      const add = async (number: number) => {
        const [job] = await store.add([aJob(number, { uniqueKey: 'one', uniqueForMs: HOUR })])
        return Number(job?.id.slice(-12))
      }
      assert.equal(await add(1), 1)
      await store.end([idOf(1)], KEPT)
      clock.advance(HOUR - 1)
      assert.equal(await add(2), 1)
      clock.advance(1)
      const winners = new Set(await atOnce(20, (index) => add(10 + index)))
      assert.equal(winners.size, 1)
      assert.ok(!winners.has(1))
      assert.equal(await stateOf(store, 1), 'done')
      assert.equal((await store.list({ state: 'waiting' }, 50)).length, 1)
    }
  ],
  [
    'a job that failed, is parked or was cancelled gives its unique key away at once',
    async ({ store }) => {
      const add = async (number: number) =>
        (await store.add([aJob(number, { uniqueKey: 'one', uniqueForMs: HOUR })]))[0]?.id
      await add(1)
      await store.end([idOf(1)], FAILED)
      assert.equal(await add(2), idOf(2))
      await store.cancel(idOf(2))
      assert.equal(await add(3), idOf(3))
      await store.end([idOf(3)], { state: 'parked', attempts: 1, reason: 'no' })
      assert.equal(await add(4), idOf(4))
    }
  ],
  [
    'a job that was cancelled keeps its unique key while a worker goes on with it',
    async ({ store }) => {
      const add = async (number: number) => (await store.add([aJob(number, { uniqueKey: 'one' })]))[0]?.id
      await add(1)
      const taken = await claimed(store)
      await store.begin([idOf(1)])
      assert.equal((await store.cancel(idOf(1)))?.state, 'cancelled')
      await assert.rejects(add(2), { code: 'SVC_JOBS_ENDING' })
      assert.equal(await stateOf(store, 2), null)
      await store.queue.settle('worker', { ended: taken, retried: [], released: [] })
      const winners = new Set(await atOnce(20, (index) => add(10 + index)))
      assert.equal(winners.size, 1)
      assert.deepEqual((await claimed(store)).length, 1)
    }
  ],
  [
    'the purge leaves a job that has its unique key still',
    async ({ store, clock }) => {
      await store.add([aJob(1, { uniqueKey: 'one', uniqueForMs: HOUR }), aJob(2, { uniqueKey: 'two' })])
      await store.end([1, 2].map(idOf), KEPT)
      clock.advance(HOUR - 1)
      assert.equal(await store.purge(clock.now()), 1)
      assert.equal(await stateOf(store, 1), 'done')
      clock.advance(1)
      assert.equal(await store.purge(clock.now()), 1)
      assert.equal(await stateOf(store, 1), null)
    }
  ]
]
