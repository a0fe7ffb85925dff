/** PostgreSQL goes away, hangs and comes back: 503 meanwhile, recovery by itself, nothing acknowledged is lost. */
import { CompiledQuery } from 'kysely'
import { defineEntity, type Repository } from 'svc-orm'
import type { Test } from 'tap'
import { ManualClock } from '../support/manual-clock.ts'
import { onPostgres } from '../support/on-postgres.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { sqlApp } from '../support/sql-app.ts'

const EVENT = defineEntity({ name: 'Event', schema: { number: { type: 'integer' } } })

const UNAVAILABLE = { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 }

/** Calls until it is answered: each refusal must be a 503. */
async function untilAnswered<T>(t: Test, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      t.match(error, { statusCode: 503 })
      await new Promise(setImmediate)
    }
  }
}

async function killedUnderLoad(t: Test, server: PostgresServer): Promise<void> {
  const { fastify, log } = await sqlApp(t, await server.createDatabase(), { entities: [EVENT] })
  await fastify.ready()
  const events: Repository = fastify.orm.repository('Event')
  const acknowledged: string[] = []
  const refused: unknown[] = []
  let load = true
  let number = 0
  const writer = async () => {
    while (load) {
      number += 1
      const own = number
      try {
        // Every other write is one of two that count as one.
        if (own % 2 === 0) acknowledged.push((await events.create({ number: own })).id)
        else {
          const pair = await events.withTransaction(async (inside) => [
            await inside.create({ number: own }),
            await inside.create({ number: -own })
          ])
          acknowledged.push(...pair.map(({ id }) => id))
        }
      } catch (error) {
        refused.push(error)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    }
  }
  const writers = Array.from({ length: 6 }, writer)
  for (let round = 0; round < 3; round += 1) {
    const before = acknowledged.length
    while (acknowledged.length < before + 40) await new Promise(setImmediate)
    await server.kill()
    await t.rejects(
      untilRefused(() => events.count()),
      UNAVAILABLE
    )
    t.notOk(fastify.sqlorm.connection().connected)
    await server.start()
    await untilAnswered(t, () => events.count())
  }
  load = false
  await Promise.all(writers)
  t.ok(refused.length > 0)
  for (const error of refused) t.match(error, { statusCode: 503 })
  const kept = new Set((await events.find()).map(({ id }) => id))
  t.strictSame(
    acknowledged.filter((id) => !kept.has(id)),
    [],
    `all of ${acknowledged.length} acknowledged rows are there`
  )
  const numbers = new Set((await events.find({ number: { $lt: 0 } })).map((row) => -row.number))
  const halves = (await events.find({ number: { $gt: 0 } })).filter(
    (row) => row.number % 2 === 1 && !numbers.has(row.number)
  )
  t.strictSame(halves, [], 'no transaction was kept in part')
  const health = await fastify.orm.connectors()[0]?.health()
  t.match(health, { connected: true, lastError: /^unavailable/ })
  // The processes of a killed server may answer a moment longer than it: an outage then has several turns.
  t.ok(health !== undefined && health.reconnectCount >= 3)
  const told = log.lines.filter(({ code }) => code === 'SVC_SQLORM_UNREACHABLE')
  t.equal(told.length, health?.reconnectCount, 'told once per turn')
  t.notOk(JSON.stringify(log.lines).includes('secret'), 'no password in the log')
}

/** Resolves never: rejects with the first refusal. */
async function untilRefused(call: () => Promise<unknown>): Promise<never> {
  for (;;) await call()
}

async function absentAtBoot(t: Test, server: PostgresServer): Promise<void> {
  const url = await server.createDatabase()
  await server.kill()
  const clock = new ManualClock()
  const { fastify, log } = await sqlApp(t, url, { entities: [EVENT], parts: { clock } })
  await fastify.ready()
  const events = fastify.orm.repository(EVENT)
  await t.rejects(events.find(), UNAVAILABLE)
  await t.rejects(events.create({ number: 1 }), UNAVAILABLE)
  await t.rejects(
    fastify.orm.transaction(async () => undefined),
    UNAVAILABLE
  )
  t.match(await fastify.orm.connectors()[0]?.health(), { connected: false, connectedSince: null, pingMs: null })
  const again = log.next('is not there')
  clock.advance(500)
  t.match(await again, { level: 20, retryMs: 1000 }, 'tried again, then later and later; an ERROR once')
  await server.start()
  const up = log.next('is connected')
  clock.advance(1000)
  await up
  t.equal((await events.create({ number: 1 })).number, 1, 'the tables were made')
}

async function hangs(t: Test, server: PostgresServer): Promise<void> {
  const url = await server.createDatabase()
  const { fastify } = await sqlApp(t, url, { entities: [EVENT], statementTimeoutMs: 100, waitMs: 300, poolSize: 2 })
  await fastify.ready()
  const events: Repository = fastify.orm.repository('Event')
  await events.create({ number: 1 })
  const slow = fastify.sqlorm.connection().run((db) => db.executeQuery(sleep()))
  await t.rejects(
    slow,
    { code: 'SVC_SQLORM_STATEMENT_TIMEOUT', statusCode: 503 },
    'M5: a statement that takes too long'
  )
  let callers: readonly Promise<unknown>[] = []
  await t.rejects(
    fastify.orm.transaction(async (tx) => {
      await events.withTransaction(tx).count()
      callers = Array.from({ length: 4 }, () => events.withTransaction((inside) => inside.count().then(hold)))
      await Promise.all(callers)
    }),
    { code: 'SVC_SQLORM_BUSY', statusCode: 503 },
    'a pool whose connections are all taken'
  )
  await Promise.allSettled(callers)
  t.equal(await events.count(), 1, 'every connection came back')
}

function sleep() {
  return CompiledQuery.raw('select pg_sleep(10)')
}

async function hold<T>(value: T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  return value
}

await onPostgres(async (t, server) => {
  await t.test('killed and restarted under load', (t) => killedUnderLoad(t, server))
  await t.test('absent when the application starts', (t) => absentAtBoot(t, server))
  await t.test('statements and callers that wait too long', (t) => hangs(t, server))
  await t.test('wrong credentials stop the boot', async (t) => {
    const { fastify } = await sqlApp(t, server.url('nowhere'))
    const error: unknown = await Promise.resolve(fastify.ready()).then(
      () => null,
      (reason: unknown) => reason
    )
    t.match(error, { name: 'BootError', code: 'SVC_SQLORM_OPEN' })
    t.notOk(String(error).includes('secret'), 'the password is not told')
  })
})
