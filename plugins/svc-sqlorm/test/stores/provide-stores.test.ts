/** The driver's bricks in an application: offered, chosen, made, and what they do while the database is away. */
import Fastify from 'fastify'
import { auditStore } from 'svc-audit'
import { sessionStore, tokensStore, totpStore, userStore } from 'svc-security/stores'
import svcStores from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import svcSqlorm from '../../src/index.ts'
import { CapturedLog } from '../support/captured-log.ts'
import { everyStore } from '../support/every-store.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { openStore } from '../support/open-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MEMORY = { connectors: { default: { url: 'sqlite::memory:' } } }
const UNAVAILABLE = { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 }
const SESSION = { id: 's1', user: 'alice', content: {}, flash: {}, meta: {} }
const EMPTY = { items: [], limit: 50, offset: 0, hasNext: false }

async function app(t: Test, options: object = MEMORY) {
  const log = new CapturedLog()
  const fastify = Fastify({ logger: log.logger })
  t.teardown(() => fastify.close())
  await fastify.register(svcStores)
  await fastify.register(svcSqlorm, { ...MEMORY, ...options })
  return { fastify, log }
}

t.test('auto chooses the driver for every brick', async (t) => {
  const { fastify } = await app(t)
  for (const [brick, each] of Object.entries(everyStore)) {
    t.equal(fastify.stores.select<object>(each, 'auto').driver, 'sqlorm', brick)
  }
  await fastify.ready()
})

t.test('a table is made for what was chosen, and for nothing else', async (t) => {
  const { fastify, log } = await app(t)
  const { store } = fastify.stores.select(totpStore, 'sqlorm')
  await fastify.ready()
  t.strictSame(
    log.messages().filter((message) => message.startsWith('created')),
    ['created table svc_totp (6 columns)']
  )
  t.equal(await store?.enroll('alice', 'gcm1.a'), true)
})

t.test('frameworkEntities: false offers nothing', async (t) => {
  const { fastify } = await app(t, { frameworkEntities: false })
  t.equal(fastify.stores.select(sessionStore, 'auto').driver, 'memory')
})

t.test('the first of several connectors keeps the records', async (t) => {
  const folder = temporaryFolder(t)
  const connectors = { main: { url: `sqlite:${folder}/main.db` }, reports: { url: `sqlite:${folder}/reports.db` } }
  const { fastify } = await app(t, { connectors })
  const { store } = fastify.stores.select(sessionStore, 'sqlorm')
  await fastify.ready()
  await store?.create(SESSION)
  const main = await fastify.sqlorm
    .kysely<{ svc_session: { id: string } }>('main')
    .selectFrom('svc_session')
    .select('id')
    .execute()
  t.match(main, [{ id: 's1' }])
  await t.rejects(
    fastify.sqlorm.kysely<{ svc_session: { id: string } }>('reports').selectFrom('svc_session').select('id').execute(),
    /no such table/
  )
})

t.test('a driver after its consumer is refused', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcStores)
  fastify.stores.select(sessionStore, 'auto')
  const late = Promise.resolve(fastify.register(svcSqlorm, MEMORY)).then(
    () => null,
    (error: unknown) => error
  )
  t.match(await late, { code: 'SVC_STORE_ORDER' })
})

t.test('sessions while the application shuts down', async (t) => {
  const { store, database } = await openStore('sqlite::memory:', 'session', new ManualClock())
  await store.create(SESSION)
  await database.close()
  t.equal(await store.find('s1'), null)
  t.equal(await store.touch('s1'), false)
  t.equal(await store.update('s1', { user: 'bob' }), false)
  t.equal(await store.destroy('s1'), false)
  t.equal(await store.destroyByUser('alice'), 0)
  t.strictSame(await store.list({}, {}), EMPTY)
  t.equal(await store.count({}), 0)
  t.equal(await store.purge({ idleTimeoutS: 1, absoluteTimeoutS: 1 }), 0)
  await t.rejects(store.create(SESSION), UNAVAILABLE, 'a login that cannot be kept is refused')
  await t.rejects(store.list({ nobody: 'x' } as never, {}), { code: 'SVC_STORE_FILTER' })
})

t.test('other records before the database is open', async (t) => {
  const { fastify } = await app(t)
  const tokens = fastify.stores.select(tokensStore, 'sqlorm').store
  const users = fastify.stores.select(userStore, 'sqlorm').store
  const audit = fastify.stores.select(auditStore, 'sqlorm').store
  await t.rejects(async () => tokens?.findByHash('h'), UNAVAILABLE)
  await t.rejects(async () => tokens?.isDenied('j'), UNAVAILABLE, 'never "not denied"')
  await t.rejects(async () => users?.create({ identifier: 'alice' }), UNAVAILABLE)
  await t.rejects(async () => audit?.list({}, { limit: 1 }), UNAVAILABLE)
})

t.test('a purge of many rows lets others in between', async (t) => {
  const clock = new ManualClock()
  const { store, database } = await openStore(`sqlite:${temporaryFolder(t)}/app.db`, 'idempotency', clock)
  t.teardown(() => database.close())
  for (let index = 0; index < 2500; index += 1) await store.begin(`key ${index}`, 'f', 1)
  clock.advance(1)
  let turns = 0
  let over = false
  const turn = () => {
    turns += 1
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  t.equal(await store.purge(), 2500)
  over = true
  t.ok(turns >= 2, 'the event loop turned between the parts')
})

await onPostgres(async (t, server) => {
  await t.test('R1: sessions and tokens while the server is away, and after', async (t) => {
    const url = await server.createDatabase()
    const sessions = await openStore(url, 'session', new ManualClock())
    const tokens = await openStore(url, 'tokens', new ManualClock())
    t.teardown(() => Promise.all([sessions.database.close(), tokens.database.close()]))
    await sessions.store.create(SESSION)
    await server.kill()
    await t.rejects(async () => sessions.store.find('s1'), UNAVAILABLE, 'never "not there"')
    await t.rejects(sessions.store.touch('s1'), UNAVAILABLE)
    await t.rejects(sessions.store.list({}, {}), UNAVAILABLE)
    await t.rejects(sessions.store.count({}), UNAVAILABLE)
    await t.rejects(sessions.store.update('s1', { user: 'bob' }), UNAVAILABLE, 'a write is never dropped')
    await t.rejects(sessions.store.destroy('s1'), UNAVAILABLE, 'nor a logout')
    await t.rejects(async () => tokens.store.isDenied('j'), UNAVAILABLE)
    await t.rejects(async () => tokens.store.invalidBefore('alice'), UNAVAILABLE)
    await server.start()
    const back = async () => sessions.store.find('s1')
    while ((await back().catch(() => null)) === null) await new Promise(setImmediate)
    t.equal(await sessions.store.update('s1', { user: 'bob' }), true)
  })
})
