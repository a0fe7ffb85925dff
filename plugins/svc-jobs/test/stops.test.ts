/** Stops and stuck work: attempts that a stop interrupts do not count, and a job during which processes end is parked. */
import Fastify from 'fastify'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { JobRegistry } from '../src/definitions/job-registry.ts'
import svcJobs, { type Jobs } from '../src/index.ts'
import { JobRunner } from '../src/running/job-runner.ts'
import { jobStore } from '../src/stores.ts'

const silent = Fastify({ logger: false }).log
const turn = () => new Promise(setImmediate)

/** Instances on one database. */
function house() {
  const clock = new ManualClock()
  const database = memoryDatabase({ clock })
  const instance = async (t: Test, define: (jobs: Jobs) => void, options: object = {}) => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await ensureStores(fastify, { clock })
    fastify.stores.addDatabase('sqlorm', database)
    await fastify.register(svcJobs, { ...options, parts: { clock } })
    define(fastify.jobs)
    await fastify.ready()
    return fastify
  }
  return { clock, database, instance }
}

async function reaches(jobs: Jobs, id: string, state: string, clock: ManualClock) {
  for (let turns = 0; turns < 2000; turns += 1) {
    const job = await jobs.get(id)
    if (job.state === state) return job
    if (turns % 20 === 19) clock.advance(100)
    await turn()
  }
  throw new Error(`the job did not become ${state}`)
}

t.test('a stop tells attempts, gives their jobs back uncounted, and another instance runs them', async (t) => {
  const { clock, instance } = house()
  let told = 0
  const stuck = (jobs: Jobs) =>
    jobs.define('long', {}, (_body, { signal }) => {
      signal.addEventListener('abort', () => (told += 1))
      return new Promise(() => undefined)
    })
  const first = await instance(t, stuck)
  const { id } = await first.jobs.add('long')
  await reaches(first.jobs, id, 'running', clock)
  const closing = first.close()
  await turn()
  t.equal(told, 0, 'it may end by itself first')
  for (let second = 0; second < 12; second += 1) {
    clock.advance(1000)
    await turn()
  }
  await closing
  t.equal(told, 1)
  const attempts: number[] = []
  const second = await instance(t, (jobs) =>
    jobs.define('long', {}, (_body, { attempt }) => void attempts.push(attempt))
  )
  t.match(await reaches(second.jobs, id, 'done', clock), { attempts: 1, interruptions: 0 })
  t.strictSame(attempts, [1])
})

t.test('a job whose process ended three times is parked with its reason', async (t) => {
  const { clock, database, instance } = house()
  const idle = await instance(t, (jobs) => jobs.define('poison', {}, () => undefined), { run: false })
  const { id } = await idle.jobs.add('poison')
  const store = jobStore.open(database, { clock })
  // Each of these processes has begun it, and is gone.
  await store.begin([id])
  t.equal(await store.interrupted(id), 1)
  t.equal(await store.interrupted(id), 2)
  const last = await instance(t, (jobs) => jobs.define('poison', {}, () => t.fail('it must not run')))
  t.match(await reaches(last.jobs, id, 'parked', clock), { reason: /process ended during 3 attempts/, attempts: 1 })
})

t.test('a lane of one runs one at a time, on all instances', async (t) => {
  const { clock, instance } = house()
  let running = 0
  let most = 0
  let done = 0
  const define = (jobs: Jobs) =>
    jobs.define('pay', { lane: 'till' }, async () => {
      running += 1
      most = Math.max(most, running)
      for (let turns = 0; turns < 5; turns += 1) await turn()
      running -= 1
      done += 1
    })
  const lanes = { till: { concurrent: 1 } }
  const [one] = await Promise.all([instance(t, define, { lanes }), instance(t, define, { lanes })])
  await one.jobs.addMany(
    'pay',
    Array.from({ length: 12 }, (_, index) => ({ index }))
  )
  for (let turns = 0; done < 12 && turns < 5000; turns += 1) {
    if (turns % 10 === 9) clock.advance(50)
    await turn()
  }
  t.equal(done, 12)
  t.equal(most, 1)
})

t.test('a job that comes back while its former attempt runs here waits for it', async (t) => {
  const clock = new ManualClock()
  const store = jobStore.open(memoryDatabase({ clock }), { clock })
  const id = '00000000-0000-7000-8000-000000000001'
  const job = { id, name: 'long', lane: 'long', body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
  await store.add([job])
  const registry = new JobRegistry({ retries: 1, timeoutS: 60 })
  let begun = 0
  let end = () => {}
  registry.add('long', {}, () => {
    begun += 1
    return new Promise<void>((resolve) => (end = resolve))
  })
  const runner = new JobRunner({ store, registry, clock, log: silent })
  const held = { id, lane: 'long', payload: '{}', attempts: 0 }
  const taken = () => Object.assign(runner.read(held), { attempts: 1 })
  const first = runner.attempt(taken())
  while (begun === 0) await turn()
  runner.leaseLost()
  const again = taken()
  t.match(await runner.attempt(again), { verdict: 'retry', delayMs: 1000, uncounted: true })
  t.equal(again.attempts, 0)
  t.equal(begun, 1)
  end()
  t.match(await first, { verdict: 'done' })
})

t.test('an end that cannot be stored is written again, and the queue has the job until it is', async (t) => {
  const clock = new ManualClock()
  const store = jobStore.open(memoryDatabase({ clock }), { clock })
  let away = 2
  const end = store.end.bind(store)
  Object.assign(store, {
    end: (...given: Parameters<typeof end>) => {
      away -= 1
      return away >= 0 ? Promise.reject(new Error('away')) : end(...given)
    }
  })
  const id = '00000000-0000-7000-8000-000000000001'
  const job = { id, name: 'a', lane: 'a', body: {}, uniqueKey: 'one', traceparent: null, cause: null, delayMs: 0 }
  await store.add([job])
  const registry = new JobRegistry({ retries: 1, timeoutS: 60 })
  registry.add('a', {}, () => undefined)
  const runner = new JobRunner({ store, registry, clock, log: silent })
  const taken = Object.assign(runner.read({ id, lane: 'a', payload: '{}', attempts: 0 }), { attempts: 1 })
  let over = false
  const recorded = runner.record(taken, await runner.attempt(taken)).then(() => (over = true))
  for (const tries of [1, 0]) {
    while (away > tries) await turn()
    await turn()
    t.equal(over, false)
    clock.advance(1000)
  }
  await recorded
  t.match(await store.load([id]), [{ state: 'done', uniqueKey: null }])
})
