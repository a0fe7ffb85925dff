/** When a record says that an attempt runs: before the work where a process may have ended during one, and otherwise soon, or never. */
import Fastify from 'fastify'
import { CarriedContexts, JobOperations } from 'svc-kernel/plugin'
import type { HeldJob } from 'svc-queue/driver'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { JobRegistry } from '../../src/definitions/job-registry.ts'
import type { RunningJob } from '../../src/index.ts'
import { JobCauses } from '../../src/operations/job-cause.ts'
import { JobRunner } from '../../src/running/job-runner.ts'
import { jobStore } from '../../src/stores.ts'

const silent = Fastify({ logger: false }).log
const causes = new JobCauses({ jobOperations: new JobOperations(), carriedContexts: new CarriedContexts() })
const turn = () => new Promise(setImmediate)
const ID = '00000000-0000-7000-8000-000000000001'

/** A job that is stored, and workers that make attempts at it. */
async function house(work: (job: RunningJob) => unknown, retries = 1) {
  const clock = new ManualClock()
  const store = jobStore.open(memoryDatabase({ clock }), { clock })
  let begins = 0
  let isAway = false
  const begin = store.begin.bind(store)
  store.begin = async (ids) => {
    begins += ids.length
    if (isAway) throw new Error('away')
    return begin(ids)
  }
  const plain = { name: 'a', lane: 'a', body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
  await store.add([{ id: ID, ...plain }])
  const registry = new JobRegistry({ retries, timeoutS: 600 })
  registry.add('a', {}, (_body, job) => work(job))
  const worker = () => new JobRunner({ store, registry, causes, clock, log: silent, app: {} })
  const taken = (runner: JobRunner, held: Partial<HeldJob> = {}) =>
    Object.assign(runner.read({ id: ID, lane: 'a', payload: '{}', attempts: 0, lapses: 0, ...held }), { attempts: 1 })
  const record = async () => (await store.load([ID]))[0]
  const away = (is: boolean) => {
    isAway = is
  }
  return { clock, store, worker, taken, record, away, begins: () => begins }
}

t.test('of an attempt that is soon over only its end is written, with when it began', async (t) => {
  const { clock, worker, taken, record, begins } = await house(() => void clock.advance(40))
  const began = clock.now()
  const runner = worker()
  const job = taken(runner)
  await runner.record(job, await runner.attempt(job))
  t.equal(begins(), 0)
  t.match(await record(), { state: 'done', startedAt: began, endedAt: began + 40 })
})

t.test('one that fails soon: so does the record of what follows', async (t) => {
  const { clock, worker, taken, record, begins } = await house(() => Promise.reject(new Error('no paper')))
  const runner = worker()
  t.match(await runner.attempt(taken(runner)), { verdict: 'retry' })
  t.equal(begins(), 0)
  t.match(await record(), { state: 'waiting', startedAt: clock.now(), attempts: 1, reason: 'no paper' })
})

t.test('one that goes on is said to run, again if that cannot be stored', async (t) => {
  let end = () => {}
  const { clock, worker, taken, record, away, begins } = await house(() => new Promise<void>((done) => (end = done)))
  const runner = worker()
  const attempted = runner.attempt(taken(runner))
  await turn()
  t.match(await record(), { state: 'waiting', startedAt: null })
  away(true)
  for (const [ms, count, state] of [
    [49, 0, 'waiting'],
    [1, 1, 'waiting'],
    [950, 1, 'waiting'],
    [50, 2, 'running']
  ] as const) {
    if (ms === 950) away(false)
    clock.advance(ms)
    await turn()
    t.match([begins(), (await record())?.state], [count, state])
  }
  end()
  t.match(await attempted, { verdict: 'done', begunAt: undefined })
})

t.test(
  'where a process may have ended during an attempt, the work waits until the record says that it runs',
  async (t) => {
    for (const held of [{ lapses: 1 }, { lapses: undefined }]) {
      let state: string | undefined
      const { worker, taken, record } = await house(async () => {
        state = (await record())?.state
      })
      const runner = worker()
      t.match(await runner.attempt(taken(runner, held)), { verdict: 'done' })
      t.equal(state, 'running')
    }
  }
)

t.test('a job that is cancelled after its claim does not run', async (t) => {
  for (const held of [{}, { lapses: 1 }]) {
    const { store, worker, taken } = await house(() => t.fail('it runs'))
    const runner = worker()
    const job = taken(runner, held)
    await turn()
    await store.cancel(ID)
    t.match(await runner.attempt(job), { verdict: 'withdrawn' })
  }
})

t.test('progress says that the attempt runs, and is stored', async (t) => {
  const { worker, taken, record } = await house(async ({ progress }) => {
    progress(0.5, 'half')
    await turn()
    const now = await record()
    t.match(now, { state: 'running', progress: { value: 0.5, text: 'half' } })
  })
  const runner = worker()
  t.match(await runner.attempt(taken(runner)), { verdict: 'done' })
})

t.test('a stop gives back what runs and is not said to', async (t) => {
  const { clock, worker, taken, record, begins } = await house(() => new Promise(() => undefined))
  const runner = worker()
  void runner.attempt(taken(runner))
  await turn()
  await runner.release()
  clock.advance(1000)
  await turn()
  t.equal(begins(), 0)
  t.match(await record(), { state: 'waiting', attempts: 0 })
})

t.test('a job whose processes end as soon as it begins is parked', async (t) => {
  let begun = 0
  const { clock, store, worker, record } = await house(() => {
    begun += 1
    return new Promise(() => undefined)
  })
  const { queue } = store
  await queue.heartbeat('watch')
  for (let process = 0; process < 9 && (await record())?.state !== 'parked'; process += 1) {
    const name = `process ${process}`
    await queue.heartbeat(name)
    const runner = worker()
    const [held] = await queue.claim(name, 1, () => 1)
    if (held === undefined) throw new Error('no job is handed out')
    const job = Object.assign(runner.read(held), { attempts: held.attempts + 1 })
    const attempted = runner.attempt(job).then((outcome) => runner.record(job, outcome))
    await Promise.race([attempted, turn().then(turn)])
    // It says no more: it is gone.
    for (let beats = 0; beats < 10; beats += 1) {
      clock.advance(1)
      await queue.heartbeat('watch')
    }
  }
  t.match(await record(), { state: 'parked', reason: 'the process ended during 3 attempts' })
  t.equal(begun, 4, 'the first, of which nothing was said, and three')
})
