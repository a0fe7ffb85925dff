/** What metrics and health read of jobs, against counts by hand. */
import Fastify, { type FastifyInstance } from 'fastify'
import { Degraded } from 'svc-kernel'
import { type JobAttemptEvent, jobAttempts } from 'svc-kernel/plugin'
import { ensureStores } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import svcJobs, { type SvcJobsOptions } from '../../src/index.ts'
import { JobBacklog } from '../../src/running/job-backlog.ts'
import { jobStore } from '../../src/stores.ts'

async function opened(t: Test, options: SvcJobsOptions = {}, { clock, database, isNewer = false } = house()) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await ensureStores(fastify, { clock })
  fastify.stores.addDatabase('sqlorm', database)
  await fastify.register(svcJobs, { run: false, ...options, parts: { clock } })
  const { jobs } = fastify
  jobs.define('note', {}, () => undefined)
  jobs.define('broken', { retries: 1 }, () => Promise.reject(new Error('no paper')))
  jobs.define('strict', { body: { type: 'object', required: ['a'] } }, () => undefined)
  jobs.define('pay', { lane: 'till' }, () => undefined)
  jobs.define('sync', { lane: (body) => `tenant:${(body as { tenant: number }).tenant}` }, () => undefined)
  if (isNewer) jobs.define('made-up', {}, () => undefined)
  await fastify.ready()
  return { fastify, jobs, clock }
}

function house() {
  const clock = new ManualClock()
  return { clock, database: memoryDatabase({ clock }), isNewer: false }
}

const backlogOf = (fastify: FastifyInstance) => new Map(fastify.queueDepths.backlogs()).get('jobs')?.()

t.test('jobs that wait are counted by the lanes that code and options name; all others are one', async (t) => {
  const { fastify, jobs, clock } = await opened(t, { lanes: { mail: { concurrent: 1 } } })
  const none = { note: 0, broken: 0, strict: 0, till: 0, 'svc.redrive': 0, mail: 0, '(other)': 0 }
  t.strictSame(Object.fromEntries((await backlogOf(fastify))?.lanes ?? []), none)
  await jobs.addMany('note', [{}, {}, {}])
  await jobs.addMany('pay', [{}, {}])
  for (let tenant = 0; tenant < 50; tenant += 1) await jobs.add('sync', { tenant })
  await jobs.add('note', {}, { delayS: 60 })
  clock.advance(7000)
  const backlog = await backlogOf(fastify)
  t.strictSame(Object.fromEntries(backlog?.lanes ?? []), { ...none, note: 4, till: 2, '(other)': 50 })
  t.equal(backlog?.lateMs, 7000)
})

t.test('beside more lanes than one read lists, and with a driver that lists none, the count is the same', async (t) => {
  const { fastify, jobs } = await opened(t, {})
  for (let tenant = 0; tenant < 1100; tenant += 1) await jobs.add('sync', { tenant })
  await jobs.addMany('pay', [{}, {}])
  const counted = (await backlogOf(fastify))?.lanes
  t.strictSame([counted?.get('till'), counted?.get('(other)'), counted?.get('note')], [2, 1100, 0])
  const clock = new ManualClock()
  const { queue } = jobStore.open(memoryDatabase({ clock }), { clock })
  await queue.admit('', [{ id: 'a', lane: 'till', payload: '{}', held: false }])
  const parts = { lanes: () => ['till', 'note'], lateAfterMs: 1000 }
  const pending = (lane: string, limit: number) => queue.pending(lane, limit)
  const plain = new JobBacklog({ ...parts, queue: { counts: () => queue.counts(), pending }, lateMs: async () => null })
  t.strictSame(Object.fromEntries((await plain.read()).lanes), { till: 1, note: 0, '(other)': 0 })
})

t.test('health is degraded once a job is late, and well again once it has run', async (t) => {
  const { fastify, jobs, clock } = await opened(t, { lateAfterS: 60 })
  const check = async () => new Map(fastify.healthChecks.entries()).get('jobs')?.()
  await jobs.add('note', {}, { delayS: 3600 })
  clock.advance(3_000_000)
  await check()
  clock.advance(600_000 + 60_000)
  await check()
  clock.advance(1000)
  await t.rejects(check(), new Degraded('a job has been due for 61 s; more than 60 s is late'))
  t.strictSame(await fastify.healthChecks.outages(1000), [], 'it is no outage')
  await jobs.drain()
  await check()
})

t.test('a database that does not answer is a failure, and no late job', async (t) => {
  const clock = new ManualClock()
  const { queue } = jobStore.open(memoryDatabase({ clock }), { clock })
  const away = () => Promise.reject(new Error('away'))
  const parts = { lanes: () => ['a'], lateAfterMs: 1000 }
  const counts = () => queue.counts()
  const backlog = new JobBacklog({ ...parts, queue: { counts, pending: away }, lateMs: away })
  await t.rejects(backlog.check(), new Error('away'))
  await t.rejects(backlog.read(), new Error('away'))
  const silent = new JobBacklog({ ...parts, queue: { counts, pending: away }, lateMs: async () => null })
  await silent.check()
  t.equal((await silent.read()).lateMs, null, 'a queue that cannot say is not called late')
})

t.test('each attempt is told once, by a name that a definition has', async (t) => {
  const shared = house()
  const { fastify, jobs, clock } = await opened(t, {}, shared)
  const newer = await opened(t, {}, { ...shared, isNewer: true })
  const told: JobAttemptEvent[] = []
  t.teardown(jobAttempts.subscribe((event) => void told.push(event)))
  await jobs.add('note')
  await jobs.add('broken')
  await newer.jobs.add('made-up')
  await jobs.drain()
  clock.advance(2000)
  await jobs.drain()
  t.ok(told.every(({ app }) => app === fastify.server))
  t.strictSame(told.map(({ name, result }) => `${name} ${result}`).sort(), [
    '(unknown) parked',
    'broken failed',
    'broken retried',
    'note done'
  ])
})
