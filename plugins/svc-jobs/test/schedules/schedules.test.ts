/** Schedules of an application, from their declaration to their jobs, in memory. */
import { EventEmitter, once } from 'node:events'
import Fastify from 'fastify'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import svcJobs, { type Jobs, type SvcJobsOptions, type SvcJobsParts } from '../../src/index.ts'
import { jobStore, scheduleStore } from '../../src/stores.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 1)

async function opened(t: Test, define: (jobs: Jobs) => void, options: SvcJobsOptions & { parts?: SvcJobsParts } = {}) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcJobs, options)
  define(fastify.jobs)
  await fastify.ready()
  return fastify.jobs
}

/** Its jobs wait until they are let go. */
async function atGate(t: Test, overlap: 'skip' | 'queue' | 'cancel', run = true) {
  const gate = new EventEmitter()
  const clock = new ManualClock()
  const ran = new EventEmitter()
  const jobs = await opened(
    t,
    (jobs) => {
      jobs.define('report', {}, async (body, { id, signal }) => {
        ran.emit('job', body, id)
        await Promise.race([once(gate, 'open'), once(signal, 'abort')])
      })
      jobs.schedule('report.hourly', '0 * * * *', {
        zone: 'Europe/Berlin',
        job: 'report',
        body: { of: 'hour' },
        overlap
      })
    },
    { run, parts: { clock } }
  )
  return { gate, clock, ran, jobs }
}

async function ended(jobs: Jobs, id: string) {
  for (;;) {
    const job = await jobs.get(id)
    if (job.endedAt !== null) return job
    await new Promise(setImmediate)
  }
}

t.test('every problem of every schedule ends the boot, in one message', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcJobs)
  const { jobs } = fastify
  jobs.define('report', { body: { type: 'object', required: ['of'] } }, () => undefined)
  jobs.schedule('report', '61 * * * *', { zone: 'UTC', body: { of: 'day' } })
  jobs.schedule('without-zone', '@daily', { job: 'report', body: { of: 'day' } } as never)
  jobs.schedule('on-mars', '@daily', { zone: 'Mars/Base', job: 'report', body: { of: 'day' } })
  jobs.schedule('unknown', '@daily', { zone: 'UTC' })
  jobs.schedule('no body', '@daily', { zone: 'UTC', job: 'report' })
  jobs.schedule('same', '@daily', { zone: 'UTC', job: 'report', body: { of: 'day' } })
  jobs.schedule('same', '@daily', {
    zone: 'UTC',
    job: 'report',
    body: { of: 'day' },
    catchUp: 'some',
    overlap: 'no'
  } as never)
  const error = await Promise.resolve(fastify.ready()).then(
    () => null,
    (error: { code: string; problems: readonly { message: string; got?: string; expected?: string }[] }) => error
  )
  t.equal(error?.code, 'SVC_JOBS_SCHEDULE')
  t.strictSame(
    error?.problems.map(({ message }) => message),
    [
      'the schedule "report": "61 * * * *" is no cron text: Invalid value for minute: 61',
      'the schedule "without-zone": it has no time zone',
      'the schedule "on-mars": there is no time zone "Mars/Base"',
      'the schedule "unknown": no job is named "unknown"',
      'the schedule "no body": a name has 1 to 100 letters, digits and . : - _',
      'the schedule "no body": the body of the job "report" is not valid: body must have required property \'of\'',
      'the schedule "same": another schedule has this name',
      'the schedule "same": the option catchUp is not valid',
      'the schedule "same": the option overlap is not valid'
    ]
  )
  t.match(error?.problems[7], { got: '"some"', expected: 'none | latest | all' })
})

t.test('a schedule after the start is refused', async (t) => {
  const jobs = await opened(t, (jobs) => jobs.define('report', {}, () => undefined))
  t.throws(() => jobs.schedule('report', '@daily', { zone: 'UTC' }), {
    code: 'SVC_JOBS_SCHEDULE',
    message: /after the start/
  })
})

t.test('schedules beside jobs of another database end the boot', async (t) => {
  const clock = new ManualClock()
  const stores = { jobs: jobStore.open(memoryDatabase({ name: 'other' }), { clock }) }
  const define = (jobs: Jobs) => {
    jobs.define('report', {}, () => undefined)
    jobs.schedule('report', '@daily', { zone: 'UTC' })
  }
  await t.rejects(opened(t, define, { parts: { stores, clock } }), {
    code: 'SVC_JOBS_SCHEDULE_STORE',
    message: /schedules are stored in memory, and jobs in parts/
  })
  const both = memoryDatabase({ name: 'both' })
  const schedules = scheduleStore.open(both, { clock })
  const jobs = await opened(t, define, {
    parts: { stores: { jobs: jobStore.open(both, { clock }), schedules }, clock }
  })
  await jobs.schedules.pause('report')
  t.match(await schedules.list(), [{ name: 'report', paused: true }])
})

t.test('a slot runs the job with its body; the list has its state and the next five slots', async (t) => {
  const { gate, clock, ran, jobs } = await atGate(t, 'skip')
  const hours = (first: number) => Array.from({ length: 5 }, (_, index) => START + (first + index) * 60 * MINUTE)
  t.strictSame(await jobs.schedules.list(), [
    {
      name: 'report.hourly',
      cron: '0 * * * *',
      zone: 'Europe/Berlin',
      declared: true,
      job: 'report',
      catchUp: 'latest',
      overlap: 'skip',
      paused: false,
      next: hours(1),
      lastSlot: null,
      lastSkipped: null,
      waiting: 0,
      lastJob: null
    }
  ])
  const running = once(ran, 'job')
  while (clock.now() < START + 60 * MINUTE) {
    clock.advance(5000)
    await new Promise(setImmediate)
  }
  const [body, id] = await running
  t.strictSame(body, { of: 'hour' })
  clock.advance(50)
  await new Promise(setImmediate)
  const [state] = await jobs.schedules.list()
  t.match(state, { lastSlot: START + 60 * MINUTE, next: hours(2), lastJob: { id, state: 'running' } })
  gate.emit('open')
  t.match(await ended(jobs, id), { state: 'done', name: 'report' })
  t.match((await jobs.schedules.list())[0]?.lastJob, { id, state: 'done' })
})

t.test('by the clock of the system: a slot each second', async (t) => {
  const slots = new EventEmitter()
  const made: number[] = []
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcJobs)
  fastify.jobs.define('tick', {}, (_, { id }) => {
    made.push(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
    if (made.length === 2) slots.emit('both')
  })
  fastify.jobs.schedule('tick', '* * * * * *', { zone: 'UTC', overlap: 'queue' })
  const both = once(slots, 'both')
  // An open server keeps the process alive.
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  await both
  const [first = 0, second = 0] = made
  t.equal(first % 1000, 0)
  t.equal(second - first, 1000)
})

t.test('run now: a job outside of the slots, which the overlap knows', async (t) => {
  for (const overlap of ['skip', 'queue'] as const) {
    const { gate, ran, jobs } = await atGate(t, overlap)
    const running = once(ran, 'job')
    const { id, name } = await jobs.schedules.runNow('report.hourly')
    t.equal(name, 'report')
    await running
    await t.rejects(jobs.schedules.runNow('report.hourly'), {
      code: 'SVC_JOBS_SCHEDULE_BUSY',
      statusCode: 409,
      message: `the job ${id} of the schedule "report.hourly" has not ended`
    })
    gate.emit('open')
    await ended(jobs, id)
    const again = once(ran, 'job')
    const second = await jobs.schedules.runNow('report.hourly')
    await again
    gate.emit('open')
    t.equal((await ended(jobs, second.id)).state, 'done')
  }
})

t.test('run now with overlap cancel: the earlier job is cancelled', async (t) => {
  const { gate, clock, ran, jobs } = await atGate(t, 'cancel')
  const running = once(ran, 'job')
  const first = await jobs.schedules.runNow('report.hourly')
  await running
  const next = once(ran, 'job')
  const second = await jobs.schedules.runNow('report.hourly')
  await next
  t.equal((await ended(jobs, first.id)).state, 'cancelled')
  clock.advance(50)
  await new Promise(setImmediate)
  t.equal((await jobs.get(second.id)).state, 'running')
  gate.emit('open')
  await ended(jobs, second.id)
})

t.test('a schedule that is paused has no next slots, and can be run now', async (t) => {
  const { jobs } = await atGate(t, 'skip', false)
  await jobs.schedules.pause('report.hourly')
  t.match(await jobs.schedules.list(), [{ paused: true, next: { length: 0 } }])
  const { id } = await jobs.schedules.runNow('report.hourly')
  t.match(await jobs.schedules.list(), [{ paused: true, lastJob: { id, state: 'waiting' } }])
  await jobs.schedules.resume('report.hourly')
  t.match(await jobs.schedules.list(), [{ paused: false, next: { length: 5 } }])
  for (const call of ['pause', 'resume', 'runNow'] as const) {
    await t.rejects(async () => void (await jobs.schedules[call]('other')), {
      code: 'SVC_JOBS_SCHEDULE_NOT_FOUND',
      statusCode: 404
    })
  }
})

t.test('an application that has stopped makes no slot', async (t) => {
  const clock = new ManualClock()
  const database = memoryDatabase({ name: 'default' })
  const stores = { jobs: jobStore.open(database, { clock }), schedules: scheduleStore.open(database, { clock }) }
  const fastify = Fastify()
  await fastify.register(svcJobs, { parts: { clock, stores } })
  fastify.jobs.define('report', {}, () => undefined)
  fastify.jobs.schedule('report', '* * * * *', { zone: 'UTC' })
  await fastify.ready()
  await fastify.close()
  const [before] = await stores.schedules.list()
  clock.advance(5 * MINUTE)
  await new Promise(setImmediate)
  t.strictSame(await stores.schedules.list(), [before])
  t.equal(clock.pending, 0)
})

t.test('an application without schedules does not read their table', async (t) => {
  const clock = new ManualClock()
  const database = memoryDatabase({ name: 'default' })
  const schedules = scheduleStore.open(database, { clock })
  let reads = 0
  const list = schedules.list.bind(schedules)
  schedules.list = () => {
    reads += 1
    return list()
  }
  const stores = { jobs: jobStore.open(database, { clock }), schedules }
  const jobs = await opened(t, (jobs) => jobs.define('report', {}, () => undefined), { parts: { clock, stores } })
  t.equal(reads, 0)
  t.strictSame(await jobs.schedules.list(), [])
  t.equal(reads, 1)
})

t.test('a schedule that no release declares is listed, and makes no slots', async (t) => {
  const clock = new ManualClock()
  const database = memoryDatabase({ name: 'default' })
  const stores = { jobs: jobStore.open(database, { clock }), schedules: scheduleStore.open(database, { clock }) }
  const parts = { clock, stores }
  const define = (jobs: Jobs) => jobs.define('report', {}, () => undefined)
  const before = await opened(
    t,
    (jobs) => {
      define(jobs)
      jobs.schedule('report', '0 * * * *', { zone: 'UTC' })
    },
    { parts, run: false }
  )
  await before.schedules.pause('report')
  const jobs = await opened(t, define, { parts })
  clock.advance(120 * MINUTE)
  t.match(await jobs.schedules.list(), [
    { name: 'report', declared: false, job: null, catchUp: null, overlap: null, paused: true, next: [], lastSlot: null }
  ])
  t.strictSame((await jobs.schedules.list())[0]?.next, [])
  await t.rejects(jobs.schedules.runNow('report'), { code: 'SVC_JOBS_SCHEDULE_NOT_FOUND' })
  await jobs.schedules.resume('report')
  t.match(await jobs.schedules.list(), [{ declared: false, paused: false, next: { length: 0 } }])
})
