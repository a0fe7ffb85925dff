/** Redrive: which jobs run again, once, and how many. */

import Fastify from 'fastify'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { JobKeyTaken } from '../../src/errors.ts'
import type { RedriveFilter, RunningJob } from '../../src/index.ts'
import { redriveWork } from '../../src/redrive/redrive.ts'
import { JobSteps } from '../../src/steps/job-steps.ts'
import { type JobStore, jobStore, type NewRecord } from '../../src/stores.ts'
import { ended, openedJobs } from '../support/opened-jobs.ts'

const { log } = Fastify({ logger: false })
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

const aJob = (number: number, changes: Partial<NewRecord> = {}): NewRecord => {
  const fixed = { body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
  return { id: idOf(number), name: 'mail', lane: 'mail', ...fixed, ...changes }
}

interface Subject {
  readonly store: JobStore
  readonly clock: ManualClock
}

function subject(): Subject {
  const clock = new ManualClock()
  return { store: inMemory(jobStore, { clock }), clock }
}

const fail = (store: JobStore, numbers: readonly number[], reason = 'no route') =>
  store.end(numbers.map(idOf), { state: 'failed', attempts: 3, reason })

/** One attempt of the job that does it; `stopAfter`: the process ends before this step is stored. */
async function attempt({ store, clock }: Subject, filter: RedriveFilter, addedAt = clock.now(), stopAfter = 1000) {
  const said: string[] = []
  const { signal } = new AbortController()
  const steps = new JobSteps({ store: store.steps, job: idOf(999), signal })
  let left = stopAfter
  const step: RunningJob['step'] = (name, work) => {
    left -= 1
    if (left < 0) throw new Error('killed')
    return steps.run(name, work)
  }
  const progress = (value: number, text = '') => void said.push(`${value} ${text}`)
  const job = { id: idOf(999), name: 'svc.redrive', attempt: 1, addedAt, cause: null, signal, log, step, progress }
  const over = redriveWork({
    list: async ({ limit, before, ...of }) => {
      const items = await store.list(of, limit, before)
      return { items, next: items.length < limit ? null : (items.at(-1)?.id ?? null) }
    },
    retry: async (id) => {
      const retried = await store.retry(id).catch(() => null)
      if (retried === null) throw new JobKeyTaken()
    }
  })(filter, job)
  await over.catch((error: Error) => said.push(error.message))
  return said
}

const waiting = async ({ store }: Subject) => {
  const jobs = await store.list({ state: 'waiting' }, 5000)
  return jobs.map(({ id }) => Number(id.slice(-12))).sort((a, b) => a - b)
}

t.test('the filter takes jobs by state, name, time and reason', async (t) => {
  const rows: readonly (readonly [RedriveFilter, readonly number[]])[] = [
    [{ state: 'failed' }, [1, 2, 4, 5]],
    [{ state: 'parked' }, [3]],
    [{ state: 'failed', name: 'report' }, [2]],
    [{ state: 'failed', reason: 'ROUTE' }, [1, 2, 4]],
    [{ state: 'failed', endedAfter: 1000 }, [4, 5]],
    [{ state: 'failed', endedBefore: 2000 }, [1, 2]],
    [{ state: 'failed', limit: 3 }, [2, 4, 5]]
  ]
  for (const [filter, expected] of rows) {
    const at = subject()
    const { store, clock } = at
    const began = clock.now()
    await store.add([1, 2, 3, 4, 5, 6].map((number) => aJob(number, number === 2 ? { name: 'report' } : {})))
    await store.end([idOf(6)], { state: 'done', attempts: 1, reason: null })
    clock.advance(1000)
    await fail(store, [1, 2])
    await store.end([idOf(3)], { state: 'parked', attempts: 1, reason: 'old body' })
    clock.advance(1000)
    await fail(store, [4])
    await fail(store, [5], 'timeout')
    const since = (ms: number | undefined) => (ms === undefined ? {} : ms + began)
    const times = {
      ...(filter.endedAfter !== undefined && { endedAfter: since(filter.endedAfter) as number }),
      ...(filter.endedBefore !== undefined && { endedBefore: since(filter.endedBefore) as number })
    }
    await attempt(at, { ...filter, ...times })
    t.strictSame(await waiting(at), expected, JSON.stringify(filter))
  }
})

t.test('a job whose unique key another one has by now is skipped, and the others go on', async (t) => {
  const at = subject()
  const { store } = at
  await store.add([aJob(1), aJob(2, { uniqueKey: 'one' }), aJob(3)])
  await fail(store, [1, 2, 3])
  await store.add([aJob(4, { uniqueKey: 'one' })])
  t.strictSame(await attempt(at, { state: 'failed' }), ['1 2 put back, 1 skipped'])
  t.strictSame(await waiting(at), [1, 3, 4])
})

t.test(
  'pages: a process that ends in between repeats none, and jobs that fail again are not taken twice',
  async (t) => {
    const at = subject()
    const { store, clock } = at
    const numbers = Array.from({ length: 450 }, (_, index) => index + 1000)
    await store.add(numbers.map((number) => aJob(number)))
    await fail(store, numbers)
    const addedAt = clock.now()
    t.strictSame(await attempt(at, { state: 'failed' }, addedAt, 1), ['0.002 200 put back, 0 skipped', 'killed'])
    clock.advance(10)
    await fail(store, [1449])
    t.equal((await attempt(at, { state: 'failed' }, addedAt)).at(-1), '1 450 put back, 0 skipped')
    t.strictSame(await waiting(at), numbers.slice(0, -1))
  }
)

t.test('without anything to put back', async (t) => {
  t.strictSame(await attempt(subject(), { state: 'parked' }), ['1 0 put back, 0 skipped'])
})

t.test('in an application, as a job', async (t) => {
  let isBroken = true
  const { jobs } = await openedJobs(t, (jobs) =>
    jobs.define('mail', { retries: 0 }, () => {
      if (isBroken) throw new Error('no route')
    })
  )
  const failed = await jobs.addMany('mail', [1, 2, 3])
  for (const { id } of failed) await ended(jobs, id)
  isBroken = false
  await refuses(t, () => jobs.redrive({ state: 'done' as never }))
  await refuses(t, () => jobs.redrive({ state: 'failed', limit: 0 }))
  await refuses(t, () => jobs.redrive({ state: 'failed', lane: 'a' } as never))
  const { id, name } = await jobs.redrive({ state: 'failed', name: 'mail' })
  t.match(await ended(jobs, id), { state: 'done', progress: { value: 1, text: '3 put back, 0 skipped' } })
  t.equal(name, 'svc.redrive')
  for (const job of failed) t.equal((await ended(jobs, job.id)).state, 'done')
})

const refuses = (t: Test, call: () => Promise<unknown>) => t.rejects(call(), { code: 'SVC_JOBS_BODY', statusCode: 400 })
