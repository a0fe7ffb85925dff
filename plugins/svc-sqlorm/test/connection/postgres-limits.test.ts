/** The limits of a pool, on a real server: what each ends, with which error, and what it leaves alone. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { defineEntity } from 'svc-orm'
import type { Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { type SqlAppSetting, sqlApp } from '../support/sql-app.ts'

const EVENT = defineEntity({ name: 'Event', schema: { number: { type: 'integer' } } })

async function opened(t: Test, server: PostgresServer, setting: SqlAppSetting) {
  const { fastify, log } = await sqlApp(t, await server.createDatabase(), { entities: [EVENT], ...setting })
  await fastify.ready()
  const kysely = fastify.sqlorm.kysely()
  const setting_ = async (name: string) => {
    const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(kysely)
    return rows[0]?.value
  }
  const health = () => fastify.orm.connectors()[0]?.health()
  return { fastify, log, kysely, events: fastify.orm.repository(EVENT), shown: setting_, health }
}

async function lasts(t: Test, server: PostgresServer): Promise<void> {
  const { kysely, health } = await opened(t, server, { poolMin: 1, poolSize: 4, idleTimeoutMs: 50, maxLifetimeS: 1 })
  const pidOf = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(kysely)).rows[0]?.pid
  await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.01)`.execute(kysely)))
  let most = 0
  for (let size = 4; size > 1; size = (await health())?.pool?.size ?? 0) {
    most = Math.max(most, size)
    await setImmediate()
  }
  t.equal(most, 4)
  t.equal((await health())?.pool?.size, 1, 'poolMin stays open')
  const first = await pidOf()
  let next = first
  while (next === first) next = await pidOf()
  t.pass('a connection is replaced after maxLifetimeS')
}

async function lockWait(t: Test, server: PostgresServer): Promise<void> {
  const { fastify, events, health } = await opened(t, server, { lockTimeoutMs: 50 })
  const { id } = await events.create({ number: 1 })
  await fastify.orm.transaction(async (tx) => {
    await events.withTransaction(tx).updateOne({ id }, { number: 2 })
    await t.rejects(events.updateOne({ id }, { number: 3 }), { code: 'SVC_SQLORM_BUSY', statusCode: 503 })
  })
  t.equal((await events.findOne({ id }))?.number, 2)
  t.match(await health(), { connected: true })
}

async function idleTransaction(t: Test, server: PostgresServer): Promise<void> {
  const { fastify, events, log, health } = await opened(t, server, { idleInTransactionTimeoutMs: 50 })
  const other = await opened(t, server, {})
  const backend = sql<{ pid: number }>`select pg_backend_pid() as pid`
  await t.rejects(
    fastify.orm.transaction(async (tx) => {
      await events.withTransaction(tx).create({ number: 1 })
      const pid = (await backend.execute(fastify.sqlorm.kysely(tx))).rows[0]?.pid
      for (let found = 1; found > 0; ) {
        const rows = await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(other.kysely)
        found = rows.rows.length
      }
      // While this is answered, the last word of the server is read: a statement before that may meet a connection that is reset.
      await sql`select 1`.execute(other.kysely)
      await events.withTransaction(tx).create({ number: 2 })
    }),
    { code: 'SVC_SQLORM_TRANSACTION_TIMEOUT', statusCode: 503 }
  )
  t.equal(await events.count(), 0, 'nothing of it was kept')
  t.match(await health(), { connected: true, reconnectCount: 0 })
  t.notOk(
    log.lines.some(({ code }) => code === 'SVC_SQLORM_UNREACHABLE'),
    'the database was there all the time'
  )
}

await onPostgres(async (t, server) => {
  await t.test('the server gets what is set, and nothing else', async (t) => {
    const set = await opened(t, server, {
      statementTimeoutMs: 7000,
      lockTimeoutMs: 6000,
      idleInTransactionTimeoutMs: 5000,
      applicationName: 'shop worker',
      keepAlive: false
    })
    t.equal(await set.shown('statement_timeout'), '7s')
    t.equal(await set.shown('lock_timeout'), '6s')
    t.equal(await set.shown('idle_in_transaction_session_timeout'), '5s')
    t.equal(await set.shown('application_name'), 'shop worker')
    const plain = await opened(t, server, {})
    t.equal(await plain.shown('statement_timeout'), '30s')
    t.equal(await plain.shown('lock_timeout'), '0')
    t.equal(await plain.shown('idle_in_transaction_session_timeout'), '0')
  })
  await t.test('migrations have no limit, whatever is set', async (t) => {
    const { fastify } = await opened(t, server, {
      statementTimeoutMs: 7000,
      lockTimeoutMs: 6000,
      idleInTransactionTimeoutMs: 5000
    })
    const live = fastify.sqlorm.connection() as unknown as {
      beside(): { db: ReturnType<typeof fastify.sqlorm.kysely>; close(): Promise<void> }
    }
    const { db, close } = live.beside()
    for (const name of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
      const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)
      t.equal(rows[0]?.value, '0', name)
    }
    await close()
  })
  await t.test('idle connections close down to poolMin, and all are replaced in time', (t) => lasts(t, server))
  await t.test('a wait for a lock', (t) => lockWait(t, server))
  await t.test('a transaction that waits for its next statement', (t) => idleTransaction(t, server))
  await t.test('prepare: false names no statement', async (t) => {
    for (const prepare of [true, false]) {
      const { events, kysely } = await opened(t, server, { poolSize: 1, prepare })
      await events.findOne({ number: 1 })
      await events.findOne({ number: 2 })
      const { rows } = await sql`select name from pg_prepared_statements where name like 'svc%'`.execute(kysely)
      t.equal(rows.length > 0, prepare, `prepare: ${prepare}`)
    }
  })
})
