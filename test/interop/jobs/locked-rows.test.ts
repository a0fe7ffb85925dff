/**
 * A client that dies, hangs or idles in a transaction locks the rows that it has changed: MongoDB ends it after a minute,
 * PostgreSQL after a time that its administrator sets. Such a row delays its own lane, schedule or job, and no other one.
 */
import Fastify from 'fastify'
import { MongoClient } from 'mongodb'
import pg from 'pg'
import svcJobs from 'svc-jobs'
import t, { type Test } from 'tap'
import { type DriverModule, engines, registering, skipReason } from '../../support/engines.ts'
import { until } from '../../support/until.ts'

t.setTimeout(240_000)

const TABLES = { lane: 'job_lane', job: 'job', queued: 'job_queue', schedule: 'job_schedule' } as const
/** Where it is not `id`. */
const KEYS: Readonly<Record<string, string>> = { schedule: 'name' }

/** Changes a row in a transaction that stays open. @returns what undoes it */
type Locks = (table: keyof typeof TABLES, id: string) => Promise<() => Promise<unknown>>

/** A client of the server beside the application. SQLite has one writer, for whom all others wait. */
const CLIENTS: Readonly<Record<string, (t: Test, [, options]: DriverModule) => Promise<Locks>>> = {
  PostgreSQL: async (t, [, options]) => {
    const { connectors } = options as { readonly connectors: { readonly default: { readonly url: string } } }
    // A statement that gives up would free what waits behind it.
    Object.assign(connectors.default, { statementTimeoutMs: 600_000 })
    const client = new pg.Client(connectors.default.url)
    await client.connect()
    t.teardown(() => client.end())
    return async (table, id) => {
      await client.query('begin')
      const key = KEYS[table] ?? 'id'
      const { rowCount } = await client.query(`update svc_${TABLES[table]} set ${key} = ${key} where ${key} = $1`, [id])
      t.equal(rowCount, 1, 'the row is there')
      return () => client.query('rollback')
    }
  },
  documents: async (t, [, options]) => {
    const { connectors } = options as { readonly connectors: { readonly svc: { readonly uri: string } } }
    const client = await new MongoClient(connectors.svc.uri).connect()
    t.teardown(() => client.close())
    return async (table, id) => {
      const session = client.startSession()
      session.startTransaction()
      const rows = client.db().collection<{ _id: string }>(TABLES[table])
      const { modifiedCount } = await rows.updateOne({ _id: id }, { $set: { locked: 1 } }, { session })
      t.equal(modifiedCount, 1, 'the row is there')
      return () => session.abortTransaction()
    }
  }
}

for (const [engine, client] of Object.entries(CLIENTS)) {
  const skip = skipReason(engine)
  t.test(engine, { skip }, async (t) => {
    const empty = await (engines[engine] as NonNullable<(typeof engines)[string]>)(t)
    const driver = await empty()
    const locks = await client(t, driver)
    const app = Fastify()
    t.teardown(() => app.close())
    await registering(driver)(app)
    await app.register(svcJobs, { maxConcurrent: 4, lanes: { till: { concurrent: 1 } } })
    const { jobs } = app
    const gates = new Map<string, () => void>()
    jobs.define('till', { lane: 'till' }, () => undefined)
    jobs.define('free', {}, () => undefined)
    jobs.define('gated', {}, (_, { id }) => new Promise<void>((resolve) => gates.set(id, resolve)))
    const slots = { first: 0, second: 0 }
    for (const name of ['first', 'second'] as const) {
      jobs.define(name, {}, () => {
        slots[name] += 1
      })
      jobs.schedule(name, '* * * * * *', { zone: 'UTC', job: name })
    }
    await app.ready()
    const isDone = async (id: string) => (await jobs.get(id))?.state === 'done'
    const allDone = (ids: readonly string[]) => async () => (await Promise.all(ids.map(isDone))).every(Boolean)
    const add = async (name: string, count: number) => {
      const ids: string[] = []
      for (let job = 0; job < count; job += 1) ids.push((await jobs.add(name, {})).id)
      return ids
    }

    await t.test('the row of a lane', async (t) => {
      await until(allDone(await add('till', 1)), 'the lane has a row')
      const release = await locks('lane', 'till')
      const till = await add('till', 2)
      for (let round = 0; round < 3; round += 1) await until(allDone(await add('free', 6)), 'jobs of other lanes')
      t.strictSame(await Promise.all(till.map(isDone)), [false, false], 'their lane is locked')
      await release()
      await until(allDone(till), 'jobs of the lane')
    })

    await t.test('the row of a job', async (t) => {
      const [locked = ''] = await add('gated', 1)
      await until(async () => (await jobs.get(locked))?.state === 'running', 'an attempt that runs')
      const release = await locks('job', locked)
      gates.get(locked)?.()
      for (let round = 0; round < 3; round += 1) await until(allDone(await add('free', 6)), 'other jobs')
      t.equal(await isDone(locked), false, 'its end waits')
      await release()
      await until(() => isDone(locked), 'the job')
    })

    await t.test('the row of a schedule', async (t) => {
      await until(() => slots.first > 0 && slots.second > 0, 'slots of both')
      const release = await locks('schedule', 'first')
      const { first, second } = slots
      await until(() => slots.second > second + 3, 'slots of the other')
      t.ok(slots.first <= first + 1, 'one job may have been stored by then')
      await release()
      await until(() => slots.first > first + 2, 'its next slots')
    })

    await t.test('the place of a job in the queue', async (t) => {
      const { id: locked } = await jobs.add('free', {}, { delayS: 1 })
      const release = await locks('queued', locked)
      for (let round = 0; round < 3; round += 1) {
        await until(async () => Date.now() > ((await jobs.get(locked))?.dueAt ?? 0), 'its time')
        await until(allDone(await add('free', 6)), 'other jobs')
      }
      t.equal(await isDone(locked), false, 'no worker takes it')
      await release()
      await until(() => isDone(locked), 'the job')
    })
  })
}
