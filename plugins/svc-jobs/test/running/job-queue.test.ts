/** Jobs that wait in a queue of the application: stored with the transaction, handed over after it; what cannot work ends the boot. */
import Fastify from 'fastify'
import svcOrm, { defineEntity } from 'svc-orm'
import { type Queue, queueStore } from 'svc-queue'
import { ensureStores, inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import svcJobs, { type Jobs, type SvcJobsOptions } from '../../src/index.ts'
import { openJobQueue } from '../../src/running/job-queue.ts'

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })
const names = (name: string) => ({ name, collection: name, record: name })
const foreign = { brick: 'foreign', jobs: names('foreign_job'), workers: names('foreign_worker') }
const turn = () => new Promise(setImmediate)

/** Instances on one database, and one queue beside it. */
function house() {
  const clock = new ManualClock()
  const database = memoryDatabase({ name: 'default', clock })
  const queue = inMemory(queueStore(foreign), { clock })
  const instance = async (t: Test, define: (jobs: Jobs) => void, options: SvcJobsOptions = {}, own: Queue = queue) => {
    const lines: { level: number; msg: string }[] = []
    const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const fastify = Fastify({ logger: { level: 'info', stream } })
    t.teardown(() => fastify.close())
    await fastify.register(svcOrm, { parts: { entities: [Note] } })
    fastify.orm.addConnector(database)
    await ensureStores(fastify, { clock })
    fastify.stores.addDatabase('sqlorm', database)
    await fastify.register(svcJobs, { ...options, parts: { clock, queue: own } })
    define(fastify.jobs)
    await fastify.ready()
    const health = () => new Map(fastify.healthChecks.entries()).get('jobs')?.()
    return { jobs: fastify.jobs, orm: fastify.orm, lines, health }
  }
  const pass = async (seconds: number) => {
    for (let step = 0; step < seconds * 10; step += 1) {
      clock.advance(100)
      for (let turns = 0; turns < 5; turns += 1) await turn()
    }
  }
  return { clock, queue, instance, pass }
}

t.test('a job of a transaction reaches the queue once that is committed, and not before', async (t) => {
  const { queue, instance, pass } = house()
  const ran: unknown[] = []
  const { jobs, orm, lines } = await instance(t, (jobs) => jobs.define('mail', {}, (body) => void ran.push(body)))
  t.equal(lines.filter(({ msg }) => /not transactional with parts.queue/.test(msg)).length, 1)
  await orm.transaction(async (tx) => {
    await jobs.within(tx).add('mail', { to: 'ada' })
    await pass(2)
    t.strictSame(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
  })
  const undone = orm.transaction(async (tx) => {
    await jobs.within(tx).add('mail', { to: 'bob' })
    throw new Error('undone')
  })
  await t.rejects(undone, { message: 'undone' })
  await pass(3)
  t.strictSame(ran, [{ to: 'ada' }])
  t.strictSame(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
})

t.test('what one instance adds another runs, with its delay and its retries', async (t) => {
  const { instance, pass } = house()
  const attempts: number[] = []
  const define = (jobs: Jobs) =>
    jobs.define('mail', { retries: 2 }, (_body, { attempt }) => {
      attempts.push(attempt)
      if (attempt < 3) throw new Error('busy')
    })
  const web = await instance(t, define, { run: false })
  await instance(t, define)
  const { id } = await web.jobs.add('mail', {}, { delayS: 5 })
  await pass(4)
  t.strictSame(attempts, [])
  await pass(120)
  t.strictSame(attempts, [1, 2, 3])
  t.match(await web.jobs.get(id), { state: 'done', attempts: 3 })
})

t.test('a job that is retried while the queue does not know of its end runs again', async (t) => {
  const { queue, instance, pass } = house()
  let isKnown = false
  const late = new Proxy(queue, {
    get: (target, name: keyof Queue) => {
      const call = target[name]
      if (typeof call !== 'function') return call
      if (name !== 'settle' || isKnown) return (call as () => unknown).bind(target)
      return () => Promise.reject(new Error('away'))
    }
  })
  let attempts = 0
  const define = (jobs: Jobs) =>
    jobs.define('mail', { retries: 0 }, () => {
      attempts += 1
      if (attempts === 1) throw new Error('no route')
    })
  const { jobs } = await instance(t, define, {}, late)
  const { id } = await jobs.add('mail')
  await pass(3)
  t.match(await jobs.get(id), { state: 'failed' })
  await jobs.retry(id)
  await pass(3)
  isKnown = true
  await pass(5)
  t.match([attempts, await jobs.get(id)], [2, { state: 'done' }])
  t.strictSame(await queue.counts(), { waiting: 0, held: 0, oldestMs: null })
})

t.test('a queue that is away delays jobs, and refuses none', async (t) => {
  const { queue, instance, pass } = house()
  let isAway = true
  const flaky = new Proxy(queue, {
    get: (target, name: keyof Queue) => {
      const call = target[name]
      // As of a driver that cannot say.
      if (name === 'lateMs') return undefined
      if (typeof call !== 'function') return call
      return isAway ? () => Promise.reject(new Error('away')) : (call as () => unknown).bind(target)
    }
  })
  const ran: unknown[] = []
  const define = (jobs: Jobs) => jobs.define('mail', {}, (body) => void ran.push(body))
  const { jobs, health } = await instance(t, define, { lateAfterS: 5 }, flaky)
  await health()
  const { added, id } = await jobs.add('mail', { to: 'ada' })
  t.equal(added, true)
  await pass(8)
  t.match([ran, await jobs.get(id)], [[], { state: 'waiting' }])
  await t.rejects(Promise.resolve(health()), { message: /due for [678] s/ }, 'it is late on its way')
  isAway = false
  await pass(8)
  t.match([ran, await jobs.get(id)], [[{ to: 'ada' }], { state: 'done' }])
  await health()
})

t.test('a queue that is silent delays no start, and jobs until it answers', async (t) => {
  const { queue, instance, pass } = house()
  let isSilent = true
  const silent = new Proxy(queue, {
    get: (target, name: keyof Queue) => {
      const call = target[name]
      if (typeof call !== 'function') return call
      return isSilent ? () => new Promise(() => undefined) : (call as () => unknown).bind(target)
    }
  })
  const ran: unknown[] = []
  const started = instance(t, (jobs) => jobs.define('mail', {}, (body) => void ran.push(body)), {}, silent)
  let isStarted = false
  void started.then(() => (isStarted = true))
  // Fastify ends a start after ten seconds.
  for (let second = 0; second < 9 && !isStarted; second += 1) await pass(1)
  t.equal(isStarted, true)
  const { jobs } = await started
  t.equal((await jobs.add('mail', { to: 'ada' })).added, true)
  isSilent = false
  for (let second = 0; second < 60 && ran.length === 0; second += 1) await pass(1)
  t.strictSame(ran, [{ to: 'ada' }])
})

t.test('a queue without lanes says so where they are listed or paused', async (t) => {
  const { jobs } = await house().instance(t, (jobs) => jobs.define('mail', {}, () => undefined))
  const unsupported = { code: 'SVC_QUEUE_LANES', statusCode: 501 }
  await t.rejects(jobs.lanes.list(), unsupported)
  await t.rejects(jobs.lanes.pause('mail'), unsupported)
})

t.test('what cannot work ends the boot, with all that is wrong', async (t) => {
  const broken = { ...inMemory(queueStore(foreign), { clock: new ManualClock() }), claim: undefined }
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const options = { lanes: { till: { concurrent: 1 } }, parts: { queue: broken as unknown as Queue } }
  const error = await Promise.resolve(fastify.register(svcJobs, options)).then(
    () => null,
    (error: { problems: { code: string; message: string }[] }) => error
  )
  t.match(error?.problems, [
    { code: 'SVC_JOBS_QUEUE', message: /lacks .*claim/ },
    { code: 'SVC_JOBS_QUEUE', message: /till.* cannot limit lanes/ },
    { code: 'SVC_JOBS_QUEUE', message: /stored in memory/ }
  ])
})

t.test('a queue that can limit lanes may have limits', async (t) => {
  const { clock, instance } = house()
  const limiting = inMemory(queueStore({ ...foreign, lanes: names('foreign_lane') }), { clock })
  await t.resolves(instance(t, () => undefined, { lanes: { till: { concurrent: 1 } } }, limiting))
})

t.test('jobs that are added in one turn of the event loop take one look, and those of the next another', async (t) => {
  const { clock, queue } = house()
  const { log } = Fastify()
  let looks = 0
  const look = () => {
    looks += 1
  }
  const { added } = openJobQueue({
    options: { lanes: {} },
    own: undefined,
    store: { queue },
    driver: null,
    clock,
    log,
    look
  })
  for (let job = 0; job < 3; job += 1) {
    added()
    await Promise.resolve()
  }
  t.equal(looks, 0)
  await turn()
  t.equal(looks, 1)
  added()
  await turn()
  t.equal(looks, 2)
})
