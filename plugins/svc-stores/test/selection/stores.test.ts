/** The plugin: drivers, selections, refusals and what is logged. */
import { Writable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import { BootError, type Mode } from 'svc-kernel'
import t from 'tap'
import { ManualClock } from '../../src/conformance/manual-clock.ts'
import svcStores, { ensureStores, inMemory, type SvcStoresOptions } from '../../src/index.ts'
import type { SvcStoresParts } from '../../src/options.ts'
import { memoryDatabase } from '../../src/table.ts'
import { type NoteStore, noteStore, TableNoteStore } from './note-stores.ts'

const [users, sessions, webhooks, audit] = ['user', 'session', 'webhooks', 'audit'].map(noteStore) as [
  ReturnType<typeof noteStore>,
  ReturnType<typeof noteStore>,
  ReturnType<typeof noteStore>,
  ReturnType<typeof noteStore>
]

const FATAL = 60
const WARN = 40

async function app(mode: Mode, options: SvcStoresOptions & { parts?: SvcStoresParts } = {}) {
  const lines: Array<Record<string, unknown>> = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    }
  })
  const fastify = Fastify({ logger: { level: 'warn', stream } })
  const importModule = async () => ({})
  fastify.decorate('appHost', { name: 'app', root: '/', mode, checkOnly: false, importModule })
  await fastify.register(svcStores, options)
  return { fastify, lines }
}

function problemOf(work: () => unknown): { code: string; message: string; fix: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof BootError) return { message: '', fix: '', ...error.problems[0] } as never
    throw error
  }
  throw new Error('nothing was thrown')
}

function offerUsers(fastify: FastifyInstance, driver: string): NoteStore[] {
  const built: NoteStore[] = []
  fastify.stores.provide('user', driver, (parts) => {
    const store = inMemory(users, parts)
    built.push(store)
    return store
  })
  return built
}

t.test('a driver is built once and shared; a memory store too', async (t) => {
  const { fastify } = await app('development')
  t.teardown(() => fastify.close())
  const built = offerUsers(fastify, 'sqlorm')
  const first = fastify.stores.select(users, 'auto')
  t.strictSame([first.driver, first.store], ['sqlorm', built[0]])
  t.equal(fastify.stores.select(users, 'sqlorm').store, first.store)
  t.equal(built.length, 1)
  const kept = fastify.stores.select(sessions, 'memory')
  t.equal(fastify.stores.select(sessions, 'memory').store, kept.store)
  t.type(kept.store, TableNoteStore)
})

t.test('the declared database decides, the application before a driver', async (t) => {
  const { fastify } = await app('development')
  t.teardown(() => fastify.close())
  fastify.stores.declare('docdb')
  fastify.stores.declare('sqlorm')
  for (const driver of ['sqlorm', 'docdb']) offerUsers(fastify, driver)
  t.equal(fastify.stores.select(users, 'auto').driver, 'docdb', 'the first that was declared')
  const named = await app('development', { primary: 'sqlorm' })
  t.teardown(() => named.fastify.close())
  named.fastify.stores.declare('docdb')
  for (const driver of ['sqlorm', 'docdb']) offerUsers(named.fastify, driver)
  t.equal(named.fastify.stores.select(users, 'auto').driver, 'sqlorm')
})

t.test('memory in production is a warning, told once', async (t) => {
  const { fastify, lines } = await app('production')
  t.teardown(() => fastify.close())
  fastify.stores.select(users, 'memory')
  fastify.stores.select(users, 'memory')
  t.match(lines, [{ level: WARN, code: 'SVC_STORE_VOLATILE', brick: 'user', plugin: 'svc-stores' }])
  t.equal(lines.length, 1)
  const quiet = await app('development')
  t.teardown(() => quiet.fastify.close())
  quiet.fastify.stores.select(users, 'memory')
  t.strictSame(quiet.lines, [])
})

t.test('a brick that the driver does not carry falls back with the reason', async (t) => {
  const { fastify, lines } = await app('development')
  t.teardown(() => fastify.close())
  offerUsers(fastify, 'docdb')
  const { driver, store } = fastify.stores.select(sessions, 'auto')
  t.equal(driver, 'memory')
  t.ok(store)
  t.match(lines, [{ level: WARN, code: 'SVC_STORE_FALLBACK', reason: /does not support the session store/ }])
})

t.test('an unknown store aborts the boot, and in development disables the brick', async (t) => {
  for (const mode of ['production', 'test'] as const) {
    const { fastify } = await app(mode)
    t.teardown(() => fastify.close())
    const problem = problemOf(() => fastify.stores.select(webhooks, 'docdb'))
    t.match(problem, { code: 'SVC_STORE_UNKNOWN', message: /webhooks: the store "docdb" is unknown/, fix: /docdb/ })
  }
  const { fastify, lines } = await app('development')
  t.teardown(() => fastify.close())
  t.strictSame(fastify.stores.select(webhooks, 'docdb'), { driver: null, store: null })
  t.match(lines, [{ level: FATAL, code: 'SVC_STORE_UNKNOWN', brick: 'webhooks' }])
  await fastify.ready()
})

t.test('ready objects win, those of the consumer first', async (t) => {
  const clock = new ManualClock()
  const [shared, own] = [inMemory(users, { clock }), inMemory(users, { clock })]
  const { fastify } = await app('production', { parts: { stores: { user: shared } } })
  t.teardown(() => fastify.close())
  offerUsers(fastify, 'sqlorm')
  t.strictSame(fastify.stores.select(users, 'nothing'), { driver: 'parts', store: shared })
  t.equal(fastify.stores.select(users, 'auto', own).store, own)
})

t.test('a ready object that is no whole store is refused by the names of what it lacks', async (t) => {
  const { fastify } = await app('production')
  t.teardown(() => fastify.close())
  const half = { find: async () => null, create: 1 } as never
  const problem = problemOf(() => fastify.stores.select(audit, 'auto', half))
  t.match(problem, { code: 'SVC_STORE_INCOMPLETE', message: /lacks create$/ })
  const shared = await app('production', { parts: { stores: { audit: half } } })
  t.teardown(() => shared.fastify.close())
  t.match(
    problemOf(() => shared.fastify.stores.select(audit, 'auto')),
    { code: 'SVC_STORE_INCOMPLETE' }
  )
})

t.test('a ready object that no plugin asks for stops the boot', async (t) => {
  const { fastify } = await app('production', { parts: { stores: { users: {} } } })
  fastify.stores.select(users, 'memory')
  await t.rejects(async () => fastify.ready(), {
    code: 'SVC_STORE_BRICK',
    problems: [{ expected: 'user', at: /stores\.users$/ }]
  })
})

t.test('drivers come before what uses their stores', async (t) => {
  const { fastify } = await app('development')
  t.teardown(() => fastify.close())
  fastify.stores.select(users, 'auto')
  fastify.stores.select(sessions, 'memory')
  const problem = problemOf(() => offerUsers(fastify, 'sqlorm'))
  t.match(problem, {
    code: 'SVC_STORE_ORDER',
    message: /sqlorm provides the user store after/,
    fix: /list sqlorm before/
  })
  fastify.stores.provide('session', 'sqlorm', (parts) => inMemory(sessions, parts))
})

t.test('a database of a driver carries every store, before what uses it', async (t) => {
  const { fastify } = await app('development')
  t.teardown(() => fastify.close())
  fastify.stores.addDatabase('sqlorm', memoryDatabase({ name: 'main' }))
  const { driver, store } = fastify.stores.select(users, 'auto')
  t.equal(driver, 'sqlorm')
  const note = await store?.create('kept')
  t.strictSame(await store?.find(note?.id ?? ''), note)
  t.equal(fastify.stores.select(sessions, 'sqlorm').driver, 'sqlorm')
  t.match(
    problemOf(() => fastify.stores.addDatabase('docdb', memoryDatabase())),
    { code: 'SVC_STORE_ORDER' }
  )
})

t.test('mistakes of a driver are refused', async (t) => {
  const { fastify } = await app('development')
  t.teardown(() => fastify.close())
  offerUsers(fastify, 'sqlorm')
  t.match(
    problemOf(() => offerUsers(fastify, 'sqlorm')),
    { code: 'SVC_STORE_PROVIDED' }
  )
  for (const name of ['auto', 'memory', 'parts', '']) {
    t.match(
      problemOf(() => offerUsers(fastify, name)),
      { code: 'SVC_STORE_DRIVER' }
    )
  }
})

t.test('stores run on the clock of the plugin', async (t) => {
  const clock = new ManualClock(5000)
  const { fastify } = await app('development', { parts: { clock } })
  t.teardown(() => fastify.close())
  const { store } = fastify.stores.select(users, 'auto')
  t.equal((await store?.create('alice'))?.createdAt, 5000)
})

t.test('the plugin stands alone, and is registered once by whoever needs it', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await ensureStores(fastify)
  const { stores } = fastify
  await ensureStores(fastify)
  t.equal(fastify.stores, stores)
  await fastify.ready()
})

t.test('unknown options are refused', async (t) => {
  await t.rejects(app('development', { driver: 'sqlorm' } as never), { code: 'SVC_KERNEL_OPTIONS' })
})

t.test('U10: a name in place of a definition is answered with where definitions are', async (t) => {
  const { fastify } = await app('test')
  const given = 'user' as unknown as typeof users
  t.match(
    problemOf(() => fastify.stores.select(given, 'auto')),
    {
      code: 'SVC_STORE_DEFINITION',
      message: /needs a store definition, not "user"/,
      fix: /userStore of svc-security\/stores/
    }
  )
})
