/** Instances on one database, on SQLite, PostgreSQL and documents: each slot of a schedule runs once, and one at a time. */
import Fastify, { type FastifyInstance } from 'fastify'
import svcJobs, { type ScheduleOptions } from 'svc-jobs'
import { scheduleStore } from 'svc-jobs/stores'
import svcOrm from 'svc-orm'
import { ensureStores } from 'svc-stores'
import { atOnce, ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { onEveryEngine, type Register } from '../../support/engines.ts'
import { until } from '../../support/until.ts'

const START = Date.UTC(2026, 0, 1)
/** Eleven slots within two minutes, and none until the next day. */
const CRON = '*/10 0-1 0 * * *'
const SLOTS = Array.from({ length: 11 }, (_, index) => START + (index + 1) * 10_000)

/** Instances on one database, and what their jobs did. */
class Cluster {
  readonly #t: Test
  readonly #register: Register
  readonly #clocks = new Set<ManualClock>()
  readonly ran: string[] = []
  #running = 0
  most = 0
  #now = START

  constructor(t: Test, register: Register) {
    this.#t = t
    this.#register = register
  }

  async start(cron: string, options: ScheduleOptions, ahead = 0): Promise<FastifyInstance> {
    const fastify = Fastify()
    this.#t.teardown(() => fastify.close())
    const clock = new ManualClock(this.#now + ahead)
    this.#clocks.add(clock)
    await ensureStores(fastify, { clock })
    await fastify.register(svcOrm, { parts: { entities: [] } })
    await this.#register(fastify)
    await fastify.register(svcJobs, { parts: { clock } })
    fastify.jobs.define('report', {}, async (_, { id }) => {
      this.#running += 1
      this.most = Math.max(this.most, this.#running)
      this.ran.push(id)
      await fastify.jobs.schedules.list()
      this.#running -= 1
    })
    fastify.jobs.schedule('report', cron, options)
    await fastify.ready()
    // Its slots begin by the clock of the instance that brings it first.
    const { store } = fastify.stores.select(scheduleStore, 'auto')
    await until(async () => ((await store?.list()) ?? []).some(({ name }) => name === 'report'), 'the schedule')
    return fastify
  }

  advance(ms: number): void {
    this.#now += ms
    for (const clock of this.#clocks) clock.advance(ms)
  }

  get slots(): readonly number[] {
    return this.ran.map((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
  }
}

t.test('schedules of instances', { timeout: 400_000 }, (t) =>
  onEveryEngine(t, async (t, register) => {
    t.test('instances that come and go, one of them ahead, and an outage', async (t) => {
      const all = new Cluster(t, register)
      const options = { zone: 'UTC', catchUp: 'all', overlap: 'queue' } as const
      const pass = async (seconds: number, { jobs }: FastifyInstance) => {
        for (let second = 0; second < seconds; second += 1) {
          all.advance(1000)
          await jobs.schedules.list()
        }
      }
      const one = await all.start(CRON, options)
      const two = await all.start(CRON, options, 15_000)
      await pass(25, one)
      await two.close()
      const three = await all.start(CRON, options)
      await pass(20, three)
      await Promise.all([one.close(), three.close()])
      all.advance(30_000)
      const last = await Promise.all([all.start(CRON, options), all.start(CRON, options)])
      const every = until(async () => {
        await pass(1, last[0])
        return all.ran.length >= SLOTS.length
      }, 'every slot')
      await every.catch(async (error: Error) => {
        const { jobs } = last[0]
        t.fail(error.message, { found: [await jobs.schedules.list(), (await jobs.list()).items, all.slots] })
      })
      await pass(20, last[0])
      t.strictSame([...all.slots].sort(), SLOTS)
      t.equal(all.most, 1)
      const [state] = await last[0].jobs.schedules.list()
      t.match(state, { lastSlot: SLOTS.at(-1), lastSkipped: null, waiting: 0, lastJob: { state: 'done' } })
    })

    t.test('twenty people run a schedule at once that skips: one job at a time', async (t) => {
      const all = new Cluster(t, register)
      const [one, two] = [await all.start('@yearly', { zone: 'UTC' }), await all.start('@yearly', { zone: 'UTC' })]
      const asked = await atOnce(20, (index) =>
        (index % 2 === 0 ? one : two).jobs.schedules.runNow('report').then(
          ({ id }) => id,
          (error: { code?: string }) => error.code
        )
      )
      const ids = asked.filter((answer) => answer !== 'SVC_JOBS_SCHEDULE_BUSY')
      t.ok(ids.length > 0)
      await until(async () => {
        all.advance(1000)
        await one.jobs.schedules.list()
        return all.ran.length === ids.length
      }, 'the jobs')
      t.strictSame([...all.ran].sort(), [...ids].sort())
      t.equal(all.most, 1)
    })
  })
)
