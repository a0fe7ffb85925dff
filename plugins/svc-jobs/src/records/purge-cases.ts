/** Cases of the suite of jobs: a purge that a stop ends early. */
import assert from 'node:assert/strict'
import type { ConformanceCase } from 'svc-stores/conformance'
import { aJob, DONE, idOf } from './job-fixtures.ts'
import type { JobStore } from './job-store.ts'

const JOBS = 1_000

export const purgeCases: readonly ConformanceCase<JobStore>[] = [
  [
    'a purge whose signal is aborted ends early, and the next one removes the rest',
    async ({ store, clock }) => {
      const numbers = Array.from({ length: JOBS }, (_, index) => index + 1)
      await store.add(numbers.map((number) => aJob(number)))
      await store.end(numbers.map(idOf), DONE)
      const stop = new AbortController()
      const purge = store.purge(clock.now(), stop.signal)
      stop.abort()
      const removed = await purge
      assert.ok(removed < JOBS, `${removed} of ${JOBS} jobs were removed`)
      assert.equal((await store.list({ state: 'done' }, JOBS)).length, JOBS - removed)
      assert.equal(await store.purge(clock.now()), JOBS - removed)
    }
  ]
]
