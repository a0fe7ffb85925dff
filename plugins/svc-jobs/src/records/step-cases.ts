/** Cases of the suite of jobs: results of steps. */
import assert from 'node:assert/strict'
import { atOnce, type ConformanceCase } from 'svc-stores/conformance'
import { aJob, DONE, FAILED, idOf } from './job-fixtures.ts'
import type { JobStore } from './job-store.ts'

const kept = async ({ steps }: JobStore, number: number) => Object.fromEntries(await steps.load(idOf(number)))

export const stepCases: readonly ConformanceCase<JobStore>[] = [
  [
    'the first result of a step stays, whoever stores another one, and jobs share none',
    async ({ store }) => {
      const value = { 'a.b': ['ü€𝄞\u0000', null, 1.5], $c: {} }
      assert.deepEqual(await store.steps.keep(idOf(1), 'a', { value }), { value })
      assert.deepEqual(await store.steps.keep(idOf(1), 'a', { value: 2 }), { value })
      assert.deepEqual(await store.steps.keep(idOf(1), 'b', {}), {})
      const given = await atOnce(10, (index) => store.steps.keep(idOf(2), 'a', { value: index }))
      assert.equal(new Set(given.map((result) => result.value)).size, 1)
      assert.deepEqual(await kept(store, 1), { a: { value }, b: {} })
      assert.deepEqual(await kept(store, 2), { a: given[0] })
      assert.deepEqual(await kept(store, 3), {})
    }
  ],
  [
    'a step within a transaction stores what it wrote with its result, or neither',
    async ({ store }) => {
      await store.add([aJob(1)])
      const { steps } = store
      await assert.rejects(
        steps.within(idOf(1), 'a', () => Promise.reject(new Error('no card'))),
        /no card/
      )
      assert.deepEqual(await kept(store, 1), {})
      assert.deepEqual(await steps.within(idOf(1), 'a', async () => ({ value: 1 })), { value: 1 })
      assert.deepEqual(await kept(store, 1), { a: { value: 1 } })
      // Another attempt was first.
      assert.deepEqual(await steps.within(idOf(1), 'a', async () => ({ value: 2 })), { value: 1 })
      assert.deepEqual(await kept(store, 1), { a: { value: 1 } })
    }
  ],
  [
    'results stay while their job may be retried, and go with it',
    async ({ store, clock }) => {
      await store.add([aJob(1), aJob(2), aJob(3)])
      for (const number of [1, 2, 3]) await store.steps.keep(idOf(number), 'a', { value: number })
      await store.end([idOf(1)], FAILED)
      await store.retry(idOf(1))
      await store.end([idOf(2)], DONE)
      await store.end([idOf(3)], { ...DONE, body: {} })
      assert.deepEqual(await kept(store, 3), {}, 'a job that keeps no body keeps no results')
      assert.deepEqual(await Promise.all([1, 2].map((number) => kept(store, number))), [
        { a: { value: 1 } },
        { a: { value: 2 } }
      ])
      assert.equal(await store.purge(clock.now()), 2)
      assert.deepEqual(await Promise.all([1, 2].map((number) => kept(store, number))), [{ a: { value: 1 } }, {}])
    }
  ]
]
