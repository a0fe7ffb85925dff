/** Stops and stuck work: attempts that a stop interrupts do not count, and a job during which processes end is parked. */
import Fastify from 'fastify'
import { CarriedContexts, JobOperations } from 'svc-kernel/plugin'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { JobRegistry } from '../src/definitions/job-registry.ts'
import svcJobs, { type Jobs } from '../src/index.ts'
import { JobCauses } from '../src/operations/job-cause.ts'
import { JobRunner } from '../src/running/job-runner.ts'
import { jobStore } from '../src/stores.ts'

const silent = Fastify({ logger: false }).log
const causes = new JobCauses({ jobOperations: new JobOperations(), carriedContexts: new CarriedContexts() })
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
  // A server that is told to stop has ten seconds: the job is back before them.
  for (let second = 0; second < 9; second += 1) {
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
  const isLimited = () => true
  const runner = new JobRunner({ store, registry, causes, clock, log: silent, app: {}, isLimited })
  const held = { id, lane: 'long', payload: '{}', attempts: 0 }
  const taken = () => Object.assign(runner.read(held), { attempts: 1 })
  const first = runner.attempt(taken())
  while (begun === 0) await turn()
  runner.leaseLost()
  const again = taken()
  t.match(await runner.attempt(again), { verdict: 'retry', delayMs: 1000, uncounted: true })
  t.equal(again.attempts, 0)
  const [next, elsewhere] = ['long', 'other'].map((lane, place) => {
    const another = { ...held, id: `00000000-0000-7000-8000-00000000000${2 + place}`, lane }
    return Object.assign(runner.read(another), { attempts: 1 })
  }) as [typeof again, typeof again]
  t.match(await runner.attempt(next), { verdict: 'retry', uncounted: true }, 'the lane may let one through at a time')
  t.match(await runner.attempt(elsewhere), { verdict: 'withdrawn' }, 'another lane goes on')
  t.equal(begun, 1)
  end()
  t.match(await first, { verdict: 'done' })
})

t.test('an attempt that is interrupted before it begins does not begin', async (t) => {
  for (const stops of [true, false]) {
    const clock = new ManualClock()
    const store = jobStore.open(memoryDatabase({ clock }), { clock })
    const id = '00000000-0000-7000-8000-000000000001'
    const job = { id, name: 'a', lane: 'a', body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
    await store.add([job])
    const begin = store.begin.bind(store)
    let answer = () => {}
    Object.assign(store, {
      begin: async (ids: readonly string[]) => {
        const begun = await begin(ids)
        await new Promise<void>((resolve) => (answer = resolve))
        return begun
      }
    })
    const registry = new JobRegistry({ retries: 1, timeoutS: 60 })
    let begun = 0
    registry.add('a', {}, () => {
      begun += 1
    })
    const runner = new JobRunner({ store, registry, causes, clock, log: silent, app: {} })
    const taken = Object.assign(runner.read({ id, lane: 'a', payload: '{}', attempts: 0 }), { attempts: 1 })
    const attempted = runner.attempt(taken)
    while ((await store.load([id]))[0]?.state !== 'running') await turn()
    if (stops) runner.interrupt()
    else runner.leaseLost()
    await turn()
    answer()
    t.match(await attempted, { verdict: 'retry', delayMs: 0, uncounted: true })
    t.equal(taken.attempts, 0)
    t.equal(begun, 0)
    t.match(await store.load([id]), [{ state: 'waiting', attempts: 0, interruptions: 0 }])
  }
})

t.test('work that does not listen keeps its limited lane and its unique key until it ends', async (t) => {
  for (const [lane, uniqueKey, keeps] of [
    ['one', null, true],
    ['any', 'key', true],
    ['any', null, false]
  ] as const) {
    const clock = new ManualClock()
    const store = jobStore.open(memoryDatabase({ clock }), { clock })
    const [id, other] = [1, 2].map((number) => `00000000-0000-7000-8000-00000000000${number}`) as [string, string]
    const job = { id, name: 'deaf', lane, body: {}, uniqueKey, traceparent: null, cause: null, delayMs: 0 }
    await store.add([job, { ...job, id: other, uniqueKey: null }])
    const registry = new JobRegistry({ retries: 1, timeoutS: 60 })
    const ends: Array<() => void> = []
    registry.add('deaf', {}, () => new Promise<void>((resolve) => ends.push(resolve)))
    const lines: string[] = []
    const log = Object.assign(Object.create(silent), { error: ({ code }: { code: string }) => lines.push(code) })
    const runner = new JobRunner({ store, registry, causes, clock, log, app: {}, isLimited: (lane) => lane === 'one' })
    const take = (id: string) =>
      runner.attempt(Object.assign(runner.read({ id, lane, payload: '{}', attempts: 0 }), { attempts: 1 }))
    let over = false
    const first = take(id).finally(() => (over = true))
    while (ends.length < 1) await turn()
    clock.advance(60_000)
    clock.advance(5000)
    for (let turns = 0; turns < 20; turns += 1) await turn()
    t.equal(over, !keeps)
    t.strictSame(lines, [keeps ? 'SVC_JOBS_OVERRAN' : 'SVC_JOBS_ABANDONED'])
    t.strictSame(runner.running, keeps ? [id] : [])
    ends[0]?.()
    t.match(await first, keeps ? { verdict: 'done' } : { verdict: 'retry' })
    if (lane !== 'one') continue
    const left = take(other)
    while (ends.length < 2) await turn()
    runner.leaseLost()
    clock.advance(5000)
    for (let turns = 0; turns < 20; turns += 1) await turn()
    t.match(await take(id), { verdict: 'retry', uncounted: true }, 'its lane waits after a lost lease, too')
    ends[1]?.()
    await left
  }
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
  const runner = new JobRunner({ store, registry, causes, clock, log: silent, app: {} })
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

t.test('a failure that cannot be stored is written again, and is no attempt that ended with its process', async (t) => {
  const clock = new ManualClock()
  const store = jobStore.open(memoryDatabase({ clock }), { clock })
  const fail = store.fail.bind(store)
  let refusals = 0
  Object.assign(store, {
    fail: (...given: Parameters<typeof fail>) => {
      refusals += 1
      return refusals % 2 === 1 ? Promise.reject(new Error('away')) : fail(...given)
    }
  })
  const id = '00000000-0000-7000-8000-000000000001'
  const job = { id, name: 'a', lane: 'a', body: {}, uniqueKey: null, traceparent: null, cause: null, delayMs: 0 }
  await store.add([job])
  const registry = new JobRegistry({ retries: 9, timeoutS: 60 })
  registry.add('a', {}, () => Promise.reject(new Error('not today')))
  const runner = new JobRunner({ store, registry, causes, clock, log: silent, app: {} })
  for (const attempts of [1, 2, 3, 4, 5]) {
    const taken = Object.assign(runner.read({ id, lane: 'a', payload: '{}', attempts: 0 }), { attempts })
    let over = false
    const attempted = runner.attempt(taken).finally(() => (over = true))
    while (refusals < attempts * 2 - 1) await turn()
    await turn()
    t.equal(over, false, 'the queue does not have it again')
    clock.advance(1000)
    t.match(await attempted, { verdict: 'retry' })
    t.match(await store.load([id]), [{ state: 'waiting', attempts, interruptions: 0, reason: 'not today' }])
  }
})
