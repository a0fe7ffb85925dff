/** Reads from real standbys: which go there, what a caller sees of its writes, and what happens when one is gone. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { requestChannels } from 'svc-kernel'
import type { TablePlan } from 'svc-stores/table'
import type { Test } from 'tap'
import type { CapturedLog, LogLine } from '../support/captured-log.ts'
import { onPostgres } from '../support/on-postgres.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { Event, on, replicatedApp, Standby } from '../support/replicated.ts'

const PLAN: TablePlan = { name: 'counter', columns: [{ name: 'id', type: 'text' }], key: ['id'] }

interface Setting {
  readonly primary: string
  readonly standby: Standby
  readonly other: Standby
}

/** A new database on all three; they live as long as the process. */
let standbys: Promise<[PostgresServer, PostgresServer]> | null = null

async function setting(server: PostgresServer): Promise<Setting> {
  standbys ??= Promise.all([server.standby(), server.standby()])
  const primary = await server.createDatabase()
  const [standby, other] = (await standbys).map((each) => new Standby(each, primary)) as [Standby, Standby]
  for (const each of [standby, other]) await each.caughtUp()
  return { primary, standby, other }
}

/** Timers of the application do not keep the process. */
async function nextLine(log: CapturedLog, text: string): Promise<LogLine> {
  let found: LogLine | null = null
  void log.next(text).then((line) => {
    found = line
  })
  while (found === null) await setImmediate()
  return found
}

/** What the standby has not replayed yet is only seen on the primary. */
async function whoSees(t: Test, server: PostgresServer): Promise<void> {
  const { primary, standby } = await setting(server)
  const { fastify, events, counted } = await replicatedApp(t, { url: primary, replicas: [standby.url] })
  await events.create({ number: 0 })
  await standby.caughtUp()
  await standby.pause()
  t.teardown(() => standby.resume())
  await events.create({ number: 0 })

  t.equal(await counted(), 1, 'a request reads from the replica')
  t.equal(await counted('/primary'), 2, 'or asks for the primary')
  t.equal(await counted('POST /'), 3, 'it sees what it has written')
  t.equal(await counted(), 1, 'the next one need not')
  t.equal(await events.count(), 3, 'outside of requests nobody knows who wrote')
  t.equal(await events.find({}).then(({ length }) => length), 3)

  const inside = await fastify.orm.onReplicas(async () => {
    const before = await events.count()
    const transaction = await fastify.orm.transaction((tx) => events.withTransaction(tx).count())
    return [before, transaction, await events.count()]
  })
  t.strictSame(inside, [1, 3, 3], 'a transaction reads from the primary, and so does what follows')
  const native = await fastify.orm.onReplicas(async () => {
    const kysely = fastify.sqlorm.kysely<{ event: { number: number } }>()
    await kysely.selectFrom('event').select('number').execute()
    const before = await events.count()
    await kysely.updateTable('event').set({ number: 5 }).execute()
    return [before, await events.count()]
  })
  t.strictSame(native, [1, 3], 'a native write counts as one')
  const work = async () => [await events.exists({}), (await events.groupBy({}, { by: ['number'] })).length]
  t.strictSame(await fastify.orm.onReplicas(work), [true, 1])
  t.strictSame(
    await fastify.orm.onReplicas(async () => (await events.findOne({ number: 5 }))?.number ?? null),
    null,
    'findOne as well'
  )
  const job = { queue: 'q', lane: 'l', id: null, attempt: 1, traceparent: null }
  t.equal(await requestChannels.job.trace(job, () => events.count()), 3, 'a job follows a write that it does not see')
}

/** Stores use tables as the port has them. */
async function stores(t: Test, server: PostgresServer): Promise<void> {
  const { primary, standby } = await setting(server)
  const { fastify } = await replicatedApp(t, { url: primary, replicas: [standby.url] })
  const [connector] = fastify.orm.connectors()
  await standby.pause()
  t.teardown(() => standby.resume())
  const table = await connector?.ensureTable?.<{ id: string }>(PLAN)
  await table?.insert([{ id: 'a' }])
  await fastify.orm.onReplicas(async () => {
    t.strictSame(await table?.find([]), [{ id: 'a' }], 'no store reads from a replica')
    const held = await fastify.orm.lock('one', async () => (await fastify.orm.heldLocks()).length)
    t.equal(held, 1, 'nor does a lock')
    t.ok(Math.abs(Date.now() - ((await connector?.now?.()) ?? 0)) < 60_000)
  })
}

async function sticky(t: Test, server: PostgresServer): Promise<void> {
  const { primary, standby } = await setting(server)
  const { counted } = await replicatedApp(t, { url: primary, replicas: [standby.url] }, { stickyMs: 60_000 })
  await standby.caughtUp()
  await standby.pause()
  t.teardown(() => standby.resume())
  t.equal(await counted('POST /', '10.0.0.1'), 1)
  t.equal(await counted('/', '10.0.0.1'), 1, 'the caller that wrote')
  t.equal(await counted('/', '10.0.0.2'), 0, 'another one')
}

async function turns(t: Test, server: PostgresServer): Promise<void> {
  const { primary, standby, other } = await setting(server)
  const { fastify, events, counted } = await replicatedApp(t, { url: primary, replicas: [standby.url, other.url] })
  for (const each of [standby, other]) await each.caughtUp()
  await standby.pause()
  t.teardown(() => standby.resume())
  await events.create({ number: 1 })
  await other.caughtUp()
  t.strictSame([await counted(), await counted(), await counted(), await counted()].sort(), [0, 0, 1, 1])
  for (let request = 0; request < 4; request += 1) {
    const counts = (await counted('/twice')) as number[]
    t.equal(new Set(counts).size, 1, 'all reads of a request go to one of them')
  }
  const health = await fastify.orm.connectors()[0]?.health()
  t.match(health?.replicas, [
    { target: /^postgres:\/\/.*127\.0\.0\.1/, reading: true, reason: null },
    { reading: true, reason: null }
  ])
  t.notMatch(JSON.stringify(health), /secret/)
}

async function lag(t: Test, server: PostgresServer): Promise<void> {
  const { primary, standby } = await setting(server)
  const { fastify, log, events, counted } = await replicatedApp(t, {
    url: primary,
    replicas: [standby.url],
    maxLagMs: 1
  })
  await standby.caughtUp()
  while ((await fastify.orm.connectors()[0]?.health())?.replicas?.[0]?.reading !== true) await setImmediate()
  await standby.pause()
  t.teardown(() => standby.resume())
  const out = nextLine(log, 'no longer go to the replica')
  await events.create({ number: 1 })
  t.match(await out, { code: 'SVC_SQLORM_REPLICA_OUT', level: 40, reason: 'it lags more than 1 ms' })
  t.equal(await counted(), 1, 'the primary answers')
  const back = nextLine(log, 'go to the replica')
  await standby.resume()
  t.match(await back, { level: 30 })
  const [health] = (await fastify.orm.connectors()[0]?.health())?.replicas ?? []
  t.match(health, { reading: true, lagMs: Number })
}

async function killed(t: Test, server: PostgresServer): Promise<void> {
  const { primary, standby, other } = await setting(server)
  const app = await replicatedApp(t, { url: primary, replicas: [standby.url, other.url] })
  const { log, events, counted } = app
  await events.create({ number: 1 })
  for (const each of [standby, other]) await each.caughtUp()
  const answers = new Map<unknown, number>()
  let load = true
  let total = 0
  const clients = Array.from({ length: 8 }, async () => {
    while (load) {
      const answer = await counted()
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      total += 1
    }
  })
  const more = async (requests: number) => {
    for (const until = total + requests; total < until; ) await setImmediate()
  }
  await more(200)
  const out = nextLine(log, 'no longer go to the replica')
  await standby.server.kill()
  t.match(await out, { reason: /^unavailable/ })
  await more(200)
  const second = nextLine(log, 'no longer go to the replica')
  await other.server.kill()
  await second
  await more(200)
  const back = nextLine(log, 'go to the replica')
  await standby.server.start()
  await back
  await more(200)
  load = false
  await Promise.all(clients)
  t.strictSame([...answers.keys()], [1], `of ${total} requests none failed`)
  const lines = log.lines.filter(({ code }) => code === 'SVC_SQLORM_REPLICA_OUT')
  t.equal(lines.length, 2, 'one line for each')
  t.notOk(log.lines.some(({ code }) => code === 'SVC_SQLORM_UNREACHABLE'))
  await other.server.start()
}

async function absent(t: Test, server: PostgresServer): Promise<void> {
  const { primary, standby, other } = await setting(server)
  await standby.pause()
  await other.server.kill()
  const replicas = [standby.url, primary, other.url]
  const { fastify, counted, events, log } = await replicatedApp(t, { url: primary, replicas })
  await events.create({ number: 1 })
  const told = fastify.bootWarnings.filter(({ code }) => code === 'SVC_SQLORM_REPLICA_OUT')
  t.match(told, [
    { at: 'svc-sqlorm.connectors.default.replicas[1]', message: /it is no standby/ },
    { at: 'svc-sqlorm.connectors.default.replicas[2]', message: /unavailable \(ECONNREFUSED\)/ }
  ])
  t.notMatch(JSON.stringify([told, log.lines]), /secret/)
  t.equal(await counted(), 1, 'a table that the replica does not have yet is read on the primary')
  const [first] = (await fastify.orm.connectors()[0]?.health())?.replicas ?? []
  t.match(first, { reading: true }, 'which is nothing against the replica')
  await standby.resume()
  await other.server.start()
}

await onPostgres(async (t, server) => {
  await t.test('who sees what is not replayed yet', (t) => whoSees(t, server))
  await t.test('stores, locks and the time come from the primary', (t) => stores(t, server))
  await t.test('stickyMs, by caller', (t) => sticky(t, server))
  await t.test('two take turns', (t) => turns(t, server))
  await t.test('maxLagMs', (t) => lag(t, server))
  await t.test('killed under load, one after the other', (t) => killed(t, server))
  await t.test('absent, behind, and no standby at all when the application starts', (t) => absent(t, server))
  await t.test('an application without entities, and one that closes, leave nothing open', async (t) => {
    const { primary, standby } = await setting(server)
    const { fastify } = await replicatedApp(t, { url: primary, replicas: [standby.url], applicationName: 'closing' })
    t.ok(fastify.orm.repository(Event))
    t.equal((await sql`select 1 as one`.execute(fastify.sqlorm.kysely())).rows.length, 1)
    await fastify.close()
    const text = "select count(*)::int as open from pg_stat_activity where application_name = 'closing'"
    while ((await on<{ open: number }>(standby.url, text))?.open !== 0);
    t.pass('no connection is left')
  })
})
