/** What the suite of the jobs store asks about jobs of maintenance tasks: they are there where they are asked for. */
import assert from 'node:assert/strict'
import type { ConformanceCase } from 'svc-stores/conformance'
import { aJob, FAILED, idOf } from './job-fixtures.ts'
import type { JobFilter, JobStore } from './job-store.ts'

const SYSTEM = { name: 'svc.maintenance.things', lane: 'svc.maintenance', system: true } as const

const numbersOf = async (store: JobStore, filter: JobFilter) =>
  (await store.list(filter, 10)).map(({ id }) => Number(id.slice(-12)))

export const systemCases: readonly ConformanceCase<JobStore>[] = [
  [
    'jobs of the system are listed and counted apart from those of the application',
    async ({ store, clock }) => {
      await store.add([aJob(1), aJob(2, SYSTEM), aJob(3), aJob(4, SYSTEM)])
      await store.end([3, 4].map(idOf), FAILED)
      const of = async (filter: JobFilter) => [
        await numbersOf(store, filter),
        await numbersOf(store, { ...filter, state: 'failed' })
      ]
      assert.deepEqual(await of({}), [[3, 1], [3]])
      assert.deepEqual(await of({ system: false }), [[3, 1], [3]])
      assert.deepEqual(await of({ system: true }), [[4, 2], [4]])
      assert.deepEqual(await of({ name: SYSTEM.name }), [[4, 2], [4]], 'their name asks for them')
      const counted = async (filter: JobFilter) => {
        const { states, waitingSince } = await store.counts(filter, 10)
        return [states.waiting, states.failed, waitingSince]
      }
      assert.deepEqual(await counted({}), [1, 1, clock.now()])
      assert.deepEqual(await counted({ system: true }), [1, 1, clock.now()])
      await store.cancel(idOf(2))
      assert.deepEqual(await counted({ system: true }), [0, 1, null])
      assert.deepEqual(await counted({}), [1, 1, clock.now()])
    }
  ],
  [
    'a job of the system stays one when it is tried again',
    async ({ store }) => {
      await store.add([aJob(1, SYSTEM)])
      await store.end([idOf(1)], FAILED)
      assert.equal((await store.retry(idOf(1)))?.system, true)
      assert.deepEqual(await numbersOf(store, { system: true, state: 'waiting' }), [1])
    }
  ]
]
