/** A drain: what is due runs here, one after the other, in its order, and nothing runs by itself beside it. */
import Fastify from 'fastify'
import type { AppHost } from 'svc-kernel'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import svcJobs, { type Jobs, type SvcJobsOptions } from '../../src/index.ts'

const turn = () => new Promise(setImmediate)

/** Instances on one database; the second one and those after it share it. */
function house(t: Test, define: (jobs: Jobs) => void) {
  const clock = new ManualClock(Date.UTC(2026, 0, 1))
  const database = memoryDatabase({ clock })
  const lines: Array<Record<string, unknown>> = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  return {
    clock,
    lines,
    instance: async (options: SvcJobsOptions = { run: false }, host: Partial<AppHost> = {}) => {
      const fastify = Fastify({ logger: { level: 'warn', stream } })
      t.teardown(() => fastify.close())
      const importModule = async () => ({})
      fastify.decorate('appHost', { name: 'a', root: '/', mode: 'test', checkOnly: false, importModule, ...host })
      await ensureStores(fastify, { clock })
      fastify.stores.addDatabase('sqlorm', database)
      await fastify.register(svcJobs, { ...options, parts: { clock } })
      define(fastify.jobs)
      await fastify.ready()
      return fastify.jobs
    }
  }
}

t.test('what is due runs in its order, also what a job adds; what is due later does not', async (t) => {
  const ran: unknown[] = []
  const { clock, instance } = house(t, (jobs) => {
    jobs.define('note', {}, (body) => void ran.push((body as { n: number }).n))
    jobs.define('parent', {}, () => jobs.add('note', { n: 3 }))
  })
  const jobs = await instance()
  await jobs.add('note', { n: 4 }, { delayS: 3600 })
  await jobs.add('note', { n: 1 })
  clock.advance(1)
  await jobs.add('parent')
  clock.advance(1)
  await jobs.add('note', { n: 2 })
  const made = await jobs.drain()
  t.strictSame(ran, [1, 2, 3])
  t.strictSame(
    made.map(({ name, attempt, result, reason }) => [name, attempt, result, reason]),
    [
      ['note', 1, 'done', null],
      ['parent', 1, 'done', null],
      ['note', 1, 'done', null],
      ['note', 1, 'done', null]
    ]
  )
  t.strictSame(await jobs.drain(), [])
  clock.advance(3600_000)
  t.match(await jobs.drain(), [{ body: { n: 4 }, result: 'done' }])
  t.strictSame((await jobs.list({ state: 'waiting' })).items, [])
})

t.test('an attempt that fails is told with its reason, and comes again when it is due', async (t) => {
  const { clock, instance } = house(t, (jobs) => {
    jobs.define('broken', { retries: 1 }, () => Promise.reject(new Error('no paper')))
    jobs.define('strict', { body: { type: 'object', required: ['a'] } }, () => undefined)
  })
  const jobs = await instance()
  const { id } = await jobs.add('broken')
  t.match(await jobs.drain(), [{ id, name: 'broken', attempt: 1, result: 'retried', reason: 'no paper' }])
  t.match(await jobs.get(id), { state: 'waiting', attempts: 1, reason: 'no paper' })
  t.strictSame(await jobs.drain(), [], 'it waits for its delay')
  clock.advance(2000)
  t.match(await jobs.drain(), [{ id, attempt: 2, result: 'failed', reason: 'no paper' }])
  t.match(await jobs.get(id), { state: 'failed', attempts: 2 })
})

t.test('a job that nobody defines is parked, and the log says so', async (t) => {
  let isOld = true
  const { instance, lines } = house(t, (jobs) => {
    if (isOld) jobs.define('gone', {}, () => undefined)
  })
  const { id } = await (await instance()).add('gone')
  isOld = false
  t.match(await (await instance()).drain(), [{ name: 'gone', result: 'parked', reason: 'no job is named "gone"' }])
  const said = { code: 'SVC_JOBS_PARKED', job: id, name: 'gone', msg: 'the job gone is parked: no job is named "gone"' }
  t.match(
    lines.filter(({ code }) => code === 'SVC_JOBS_PARKED'),
    [said]
  )
})

t.test('it ends at its limit, though more is due', async (t) => {
  const { instance } = house(t, (jobs) => {
    jobs.define('again', {}, () => jobs.add('again'))
  })
  const jobs = await instance()
  await jobs.add('again')
  t.equal((await jobs.drain({ limit: 5 })).length, 5)
})

t.test('slots of schedules that are due get their job', async (t) => {
  const at: number[] = []
  const { clock, instance } = house(t, (jobs) => {
    jobs.define('report', {}, () => void at.push(clock.now()))
    jobs.schedule('report', '0 * * * *', { zone: 'UTC' })
  })
  const jobs = await instance()
  await jobs.drain()
  clock.advance(3600_000)
  t.match(await jobs.drain(), [{ name: 'report', result: 'done' }])
  t.strictSame(at, [Date.UTC(2026, 0, 1, 1)])
})

t.test('two drains run each job once, and one job of a limited lane at a time', async (t) => {
  let running = 0
  let most = 0
  const ran: unknown[] = []
  const { instance } = house(t, (jobs) =>
    jobs.define('pay', { lane: 'till' }, async (body) => {
      running += 1
      most = Math.max(most, running)
      await turn()
      running -= 1
      ran.push((body as { n: number }).n)
    })
  )
  const options = { run: false, lanes: { till: { concurrent: 1 } } }
  const [one, two] = [await instance(options), await instance(options)]
  const bodies = Array.from({ length: 20 }, (_, n) => ({ n }))
  await one.addMany('pay', bodies)
  // One that finds the lane taken ends; both come again.
  for (let round = 0; ran.length < bodies.length && round < 100; round += 1)
    await Promise.all([one.drain(), two.drain()])
  t.strictSame(new Set(ran).size, 20)
  t.equal(ran.length, 20)
  t.equal(most, 1)
})

t.test('a command, a check and a test run no job by themselves', async (t) => {
  for (const host of [{ command: true }, { manualJobs: true }, { checkOnly: true }]) {
    let ran = 0
    const { clock, instance } = house(t, (jobs) =>
      jobs.define('a', {}, () => {
        ran += 1
      })
    )
    const jobs = await instance({}, host)
    await jobs.add('a')
    for (let turns = 0; turns < 50; turns += 1) {
      clock.advance(1000)
      await turn()
    }
    t.equal(ran, 0, JSON.stringify(host))
    t.equal((await jobs.drain()).length, 1)
  }
})
