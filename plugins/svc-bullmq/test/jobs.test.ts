/** Jobs of svc-jobs on BullMQ: records and outbox in the database, the queue in Redis, which may go away and come back. */
import { Queue } from 'bullmq'
import Fastify from 'fastify'
import svcJobs, { type Jobs, type SvcJobsOptions } from 'svc-jobs'
import svcOrm, { defineEntity } from 'svc-orm'
import { ensureStores } from 'svc-stores'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { bullmqQueue } from '../src/index.ts'
import { type RedisServer, redisProgram, startRedis } from './support/redis.ts'

const Order = defineEntity({ name: 'Order', schema: { title: { type: 'string' } } })

if (redisProgram === null) {
  const reason = 'SKIPPED: neither redis-server nor valkey-server is installed; nothing here was tested'
  process.stderr.write(`\n  ${reason}\n\n`)
  t.plan(0, reason)
} else {
  redisTests(redisProgram)
}

/** Instances on one database, with their own connections to one Redis. */
function house(server: RedisServer) {
  const database = memoryDatabase({ name: 'default' })
  return async (t: Test, define: (jobs: Jobs) => void, options: SvcJobsOptions = {}) => {
    const queue = bullmqQueue({ connection: server.connect(), name: 'jobs' })
    const fastify = Fastify()
    t.teardown(async () => {
      await fastify.close()
      await queue.close()
    })
    await fastify.register(svcOrm, { parts: { entities: [Order] } })
    fastify.orm.addConnector(database)
    await ensureStores(fastify)
    fastify.stores.addDatabase('sqlorm', database)
    await fastify.register(svcJobs, { ...options, parts: { queue } })
    define(fastify.jobs)
    await fastify.ready()
    return fastify
  }
}

async function reaches(jobs: Jobs, id: string, state: string) {
  for (;;) {
    const job = await jobs.get(id)
    if (job.state === state) return job
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function redisTests(program: string): void {
  t.test('a job that is stored with an order runs on another instance; one that is undone never does', async (t) => {
    const instance = house(await startRedis(t, program))
    const ran: unknown[] = []
    const define = (jobs: Jobs) => jobs.define('mail', { lane: () => 'a:b/ä' }, (body) => void ran.push(body))
    const web = await instance(t, define, { run: false })
    await instance(t, define)
    const undone = web.orm.transaction(async (tx) => {
      await web.jobs.within(tx).add('mail', { to: 'bob' })
      throw new Error('undone')
    })
    await t.rejects(undone, { message: 'undone' })
    const { id } = await web.orm.transaction(async (tx) => {
      await web.orm.repository(Order).withTransaction(tx).create({ title: 'one' })
      return web.jobs.within(tx).add('mail', { to: 'ada' })
    })
    t.match(await reaches(web.jobs, id, 'done'), { attempts: 1 })
    t.strictSame(ran, [{ to: 'ada' }])
  })

  t.test(
    'a job that fails waits in BullMQ for its next attempt, and one that was cancelled does not run',
    async (t) => {
      const server = await startRedis(t, program)
      const instance = house(server)
      const ran: string[] = []
      const { jobs } = await instance(t, (jobs) => {
        jobs.define('late', { retries: 3 }, () => {
          ran.push('late')
          throw new Error('busy')
        })
        jobs.define('other', {}, () => void ran.push('other'))
      })
      const { id } = await jobs.add('late')
      while ((await jobs.get(id)).attempts === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      t.match(await jobs.get(id), { state: 'waiting', attempts: 1, reason: 'busy' })
      const seen = new Queue('jobs-late', { connection: server.connect() })
      const delayed = async () =>
        (await seen.getDelayed()).map(({ id, name, attemptsMade }) => [id, name, attemptsMade])
      while ((await delayed()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      t.strictSame(await delayed(), [[id, 'job', 1]])
      await jobs.cancel(id)
      await (await seen.getJob(id))?.promote()
      const other = await jobs.add('other')
      await reaches(jobs, other.id, 'done')
      while ((await seen.getJobCounts('wait', 'active', 'delayed')).active !== 0) await new Promise(setImmediate)
      t.strictSame([ran, (await jobs.get(id)).state], [['late', 'other'], 'cancelled'])
      await seen.close()
    }
  )

  t.test('jobs are added while Redis is away, and run once it is back', async (t) => {
    const server = await startRedis(t, program)
    const instance = house(server)
    const ran: unknown[] = []
    const { jobs } = await instance(t, (jobs) => jobs.define('mail', {}, (body) => void ran.push(body)))
    await server.stop()
    const { added, id } = await jobs.add('mail', { to: 'ada' })
    t.equal(added, true)
    await server.start()
    await reaches(jobs, id, 'done')
    t.strictSame(ran, [{ to: 'ada' }])
  })

  t.test('limits of lanes are refused', async (t) => {
    const instance = house(await startRedis(t, program))
    const limited = instance(t, () => undefined, { lanes: { till: { concurrent: 1 } } })
    await t.rejects(limited, { message: /SVC_JOBS_QUEUE .*till.* cannot limit lanes/ })
  })
}
