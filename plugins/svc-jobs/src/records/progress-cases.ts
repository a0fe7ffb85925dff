/** Cases of the suite of jobs: progress, and lists of jobs by how they ended. */
import assert from 'node:assert/strict'
import type { ConformanceCase } from 'svc-stores/conformance'
import { aJob, DONE, FAILED, idOf } from './job-fixtures.ts'
import type { JobFilter, JobStore } from './job-store.ts'

export const progressCases: readonly ConformanceCase<JobStore>[] = [
  [
    'progress is of an attempt that runs, stays when the job has ended, and is gone when it is retried',
    async ({ store }) => {
      const progress = async () => (await store.load([idOf(1)]))[0]?.progress
      await store.add([aJob(1)])
      await store.progress(idOf(1), { value: 0.1, text: null })
      assert.equal(await progress(), null)
      await store.begin([idOf(1)])
      await store.progress(idOf(1), { value: 0.25, text: 'ü€𝄞 of rows' })
      assert.deepEqual(await progress(), { value: 0.25, text: 'ü€𝄞 of rows' })
      assert.deepEqual((await store.list({}, 1))[0]?.progress, { value: 0.25, text: 'ü€𝄞 of rows' })
      await store.end([idOf(1)], FAILED)
      await store.progress(idOf(1), { value: 1, text: null })
      assert.deepEqual(await progress(), { value: 0.25, text: 'ü€𝄞 of rows' })
      await store.retry(idOf(1))
      assert.equal(await progress(), null)
    }
  ],
  [
    'lists are of jobs that ended in a time, with a part of a reason',
    async ({ store, clock }) => {
      await store.add([1, 2, 3, 4, 5].map((number) => aJob(number)))
      const times: number[] = []
      for (const [number, reason] of ['no route', 'NO ROUTE to 100%', 'timeout', 'no route'].entries()) {
        clock.advance(1000)
        times.push(clock.now())
        await store.end([idOf(number + 1)], { ...FAILED, reason })
      }
      await store.end([idOf(5)], DONE)
      const [first = 0, , third = 0] = times
      const list = async (filter: JobFilter, limit = 10, before?: number) => {
        const jobs = await store.list(
          { state: 'failed', ...filter },
          limit,
          before === undefined ? before : idOf(before)
        )
        return jobs.map((job) => Number(job.id.slice(-12)))
      }
      assert.deepEqual(await list({ reason: 'No Route' }), [4, 2, 1])
      assert.deepEqual(await list({ reason: '%' }), [2])
      assert.deepEqual(await list({ endedAfter: first }), [4, 3, 2])
      assert.deepEqual(await list({ endedBefore: third }), [2, 1])
      assert.deepEqual(await list({ endedAfter: first, endedBefore: third + 1 }), [3, 2])
      assert.deepEqual(await list({ name: 'mail', reason: 'route' }, 1, 4), [2])
    }
  ]
]
