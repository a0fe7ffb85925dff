/** Maintenance tasks as jobs of the system: once for all instances, and out of the sight of what is about the application. */
import Fastify from 'fastify'
import { Degraded } from 'svc-kernel'
import { ensureStores, type MaintenanceTask } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import svcJobs, { type Jobs, type SvcJobsOptions } from '../../src/index.ts'

const NAME = 'svc.maintenance.things'
const EVERY_S = 90

interface InstanceParts {
  readonly run?: boolean
  readonly tasks?: readonly Partial<MaintenanceTask>[]
}

const turn = () => new Promise(setImmediate)

/** Instances with one clock, and a database that they share. */
function house(t: Test, work: (signal: AbortSignal) => Promise<number>, options: SvcJobsOptions = {}) {
  const clock = new ManualClock()
  const database = memoryDatabase({ clock })
  const instance = async ({ run = false, tasks = [{ store: 'jobs' }] }: InstanceParts = {}) => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await ensureStores(fastify, { clock })
    fastify.stores.addDatabase('sqlorm', database)
    for (const task of tasks) fastify.maintenance.declare({ name: 'things', everyS: EVERY_S, clock, work, ...task })
    await fastify.register(svcJobs, { run, ...options, parts: { clock } })
    fastify.jobs.define('note', {}, () => undefined)
    await fastify.ready()
    return fastify
  }
  /** The next slot, and what several instances do in it at the same time. */
  const slot = async (all: readonly { readonly jobs: Jobs }[]) => {
    clock.advance(EVERY_S * 1000)
    return Promise.all(all.map(({ jobs }) => jobs.drain()))
  }
  return { clock, instance, slot }
}

t.test('one of several instances runs each slot, once', async (t) => {
  let runs = 0
  const { instance, slot } = house(t, async () => {
    runs += 1
    return 1
  })
  const all = [await instance(), await instance(), await instance()]
  await Promise.all(all.map(({ jobs }) => jobs.drain()))
  t.equal(runs, 0)
  for (let each = 1; each <= 5; each += 1) {
    t.strictSame(await slot(all), [[], [], []], 'drains tell of jobs of the application')
    t.equal(runs, each)
  }
})

t.test('what is about the application leaves them out', async (t) => {
  const { instance, slot, clock } = house(t, async () => 0)
  const fastify = await instance()
  const { jobs } = fastify
  const heard: string[] = []
  jobs.on('done', ({ name }) => heard.push(name))
  await jobs.drain()
  const { id } = await jobs.add('note')
  await slot([fastify])
  const names = async (system: boolean) => (await jobs.list({ system })).items.map(({ name }) => name)
  t.strictSame(await names(false), ['note'])
  t.strictSame(await names(true), [NAME])
  t.strictSame((await jobs.list({ name: NAME })).items.length, 1)
  t.match((await jobs.list({ system: true })).items, [{ state: 'done', lane: 'svc.maintenance', system: true }])
  t.match(await jobs.get(id), { system: false })
  t.strictSame([(await jobs.counts()).states.done, (await jobs.counts({ system: true })).states.done], [1, 1])
  t.strictSame(heard, ['note'])
  t.notOk(jobs.names.includes(NAME))
  t.ok(jobs.systemNames.includes(NAME))
  t.strictSame(await jobs.schedules.list(), [])
  const [planned] = (await jobs.schedules.list({ system: true })).filter(({ name }) => name === NAME)
  const next = Math.ceil((clock.now() + 1) / (EVERY_S * 1000)) * EVERY_S * 1000
  t.match(planned, { cron: '@every 90s', declared: true, lastJob: { state: 'done' } })
  t.equal(planned?.next[0], next)
  t.strictSame((await jobs.lanes.list()).items, [])
  t.match((await jobs.lanes.list({ system: true })).items, [{ lane: 'svc.maintenance', concurrent: 1 }])
})

t.test('one that fails is tried again; then health says so, apart from that of the application', async (t) => {
  let attempts = 0
  let isBroken = true
  const { instance, slot, clock } = house(t, async () => {
    attempts += 1
    if (isBroken) throw new Error('no disk')
    return 0
  })
  const fastify = await instance()
  const { jobs } = fastify
  const health = async (name: string) => {
    const check = async () => new Map(fastify.healthChecks.entries()).get(name)?.()
    return check().then(
      () => 'ok',
      (error: unknown) => (error instanceof Degraded ? error.message : 'broken')
    )
  }
  await jobs.drain()
  t.equal(await health('maintenance jobs'), 'ok')
  await slot([fastify])
  for (let wait = 0; wait < 20; wait += 1) {
    clock.advance(4_000)
    await jobs.drain()
  }
  t.equal(attempts, 4)
  t.match((await jobs.list({ name: NAME })).items, [{ state: 'failed', reason: 'no disk', attempts: 4 }])
  t.equal(await health('maintenance jobs'), `maintenance jobs have failed: ${NAME}`)
  t.equal(await health('jobs'), 'ok')
  t.strictSame((await jobs.list({ state: ['failed', 'parked'] })).items, [], 'no dead letter of the application')
  await jobs.redrive({ state: 'failed' })
  await jobs.drain()
  t.equal(attempts, 4, 'to retry all those of the application retries none of these')
  isBroken = false
  await slot([fastify])
  t.equal(await health('maintenance jobs'), 'ok')
})

t.test('one that is late is told apart too', async (t) => {
  const { instance, slot, clock } = house(t, async () => 0, { lateAfterS: 60 })
  const fastify = await instance()
  const check = async (name: string) => new Map(fastify.healthChecks.entries()).get(name)?.()
  await fastify.jobs.drain()
  await fastify.jobs.lanes.pause('svc.maintenance')
  await slot([fastify])
  clock.advance(61_000)
  await t.rejects(check('maintenance jobs'), { message: /has been due for 6\d s/ })
  await t.resolves(check('jobs'))
})

t.test('two tasks never run at the same time', async (t) => {
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
    return 0
  }
  const { instance, slot } = house(t, work)
  const tasks = ['a', 'b', 'c'].map((name) => ({ name, store: 'jobs' }))
  const all = [await instance({ tasks }), await instance({ tasks })]
  await Promise.all(all.map(({ jobs }) => jobs.drain()))
  await slot(all)
  t.equal((await all[0]?.jobs.list({ system: true }))?.items.length, 3)
  t.equal(most, 1)
})

t.test('a task of the process, and one whose records are elsewhere, stay on timers', async (t) => {
  for (const task of [{}, { store: 'elsewhere' }]) {
    let runs = 0
    const { clock, instance } = house(t, async () => {
      runs += 1
      return 0
    })
    const { jobs } = await instance({ tasks: [task] })
    clock.advance(EVERY_S * 1000)
    await turn()
    t.equal(runs, 1)
    t.notOk((await jobs.schedules.list({ system: true })).some(({ name }) => name === NAME))
  }
})

t.test('an attempt that ends early as its process stops is given back, and another instance goes on', async (t) => {
  const seen: AbortSignal[] = []
  const { clock, instance } = house(t, async (signal) => {
    seen.push(signal)
    if (seen.length === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    return 1
  })
  const first = await instance({ run: true })
  while (seen.length === 0) {
    clock.advance(1000)
    for (let each = 0; each < 10; each += 1) await turn()
  }
  let isClosed = false
  const closed = first.close().then(() => {
    isClosed = true
  })
  await turn()
  t.notOk(isClosed, 'the close waits for it')
  while (!isClosed) {
    clock.advance(1000)
    for (let each = 0; each < 10; each += 1) await turn()
  }
  await closed
  const { jobs } = await instance()
  t.match((await jobs.list({ name: NAME })).items, [{ state: 'waiting', attempts: 0 }])
  await jobs.drain()
  t.equal(seen.length, 2)
  t.match((await jobs.list({ name: NAME })).items, [{ state: 'done', attempts: 1 }])
})

t.test('their names are theirs alone', async (t) => {
  const { instance } = house(t, async () => 0)
  const fastify = await instance()
  t.throws(() => fastify.jobs.define('svc.maintenance.mine', {}, () => undefined), { code: 'SVC_JOBS_DEFINED' })
  const other = Fastify()
  t.teardown(() => other.close())
  await other.register(svcJobs)
  other.jobs.define('note', {}, () => undefined)
  other.jobs.schedule('svc.maintenance.mine', '@every 5m', { zone: 'UTC', job: 'note' })
  await t.rejects(Promise.resolve(other.ready()), { message: /one of a maintenance task/ })
})
