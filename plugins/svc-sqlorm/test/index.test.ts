/** The plugin on a bare Fastify: options, what it adds, what it logs, how it opens and closes. */
import Fastify from 'fastify'
import { sql } from 'kysely'
import { defineEntity } from 'svc-orm'
import t from 'tap'
import svcSqlorm from '../src/index.ts'
import { sqlApp } from './support/sql-app.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const ARTICLE = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' }, body: { type: 'text' } }
})

t.test('alone, on a bare Fastify', async (t) => {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } } })
  await fastify.ready()
  t.ok(fastify.orm, 'svc-orm is added')
  const { rows } = await sql`select 1 as one`.execute(fastify.sqlorm.kysely())
  t.match(rows, [{ one: 1 }])
  t.ok(fastify.sqlorm.connection().connected)
  t.throws(() => fastify.sqlorm.kysely('other'), { code: 'SVC_ORM_UNKNOWN_CONNECTOR' })
})

t.test('a table is made at the first boot, and told', async (t) => {
  const url = `sqlite:${temporaryFolder(t)}/data/app.db`
  const first = await sqlApp(t, url, { entities: [ARTICLE] })
  await first.fastify.ready()
  t.ok(first.log.messages().includes('created table article (3 columns)'))
  const articles = first.fastify.orm.repository(ARTICLE)
  const created = await articles.create({ title: 'a', body: 'b' })
  await first.fastify.close()
  await t.rejects(articles.find(), { code: 'SVC_ORM_UNAVAILABLE', statusCode: 503 }, 'closed')

  const second = await sqlApp(t, url, { entities: [ARTICLE] })
  await second.fastify.ready()
  t.notOk(second.log.messages().some((message) => message.startsWith('created')))
  t.strictSame(await second.fastify.orm.repository(ARTICLE).findOne({ id: created.id }), created)
})

t.test('what the registry knows', async (t) => {
  const { fastify } = await sqlApp(t, 'sqlite::memory:', { entities: [ARTICLE] })
  await fastify.ready()
  const [connector] = fastify.orm.connectors()
  t.match(connector, { name: 'default', vendor: 'sqlite', connected: true, savepoints: true })
  t.match(connector?.connection, { driver: 'node:sqlite', target: 'sqlite::memory:', version: /^3\.\d+/ })
  t.match(await connector?.health(), {
    connected: true,
    connectCount: 1,
    reconnectCount: 0,
    lastError: null,
    pool: null
  })
})

t.test('statements are logged in debug, without what they carry', async (t) => {
  const { fastify, log } = await sqlApp(t, 'sqlite::memory:', { entities: [ARTICLE], debug: true })
  await fastify.ready()
  await fastify.orm.repository(ARTICLE).find({ title: 'of nobody else' })
  const line = log.lines.find(({ msg }) => msg.startsWith('select "id"'))
  t.match(line, { level: 20, plugin: 'svc-sqlorm', ms: Number })
  t.notOk(JSON.stringify(log.lines).includes('of nobody else'))
})

const REFUSED: readonly (readonly [why: string, options: object, code: RegExp | string])[] = [
  ['no connector', { connectors: {} }, /SVC_/],
  ['no url', { connectors: { default: {} } }, /SVC_/],
  ['an unknown key', { connectors: { default: { url: 'sqlite::memory:', pool: 3 } } }, /SVC_/],
  ['a name that ends a reference', { connectors: { 'a/b': { url: 'sqlite::memory:' } } }, /SVC_/],
  ['a name of every object', { connectors: JSON.parse('{"__proto__":{"url":"sqlite::memory:"}}') }, /SVC_/],
  ['another database', { connectors: { default: { url: 'mysql://u:secret@h/d' } } }, 'SVC_SQLORM_URL'],
  ['a pool of SQLite', { connectors: { default: { url: 'sqlite::memory:', poolSize: 3 } } }, 'SVC_SQLORM_OPTION'],
  [
    'replicas of SQLite',
    { connectors: { default: { url: 'sqlite::memory:', replicas: ['postgres://h/d'] } } },
    'SVC_SQLORM_OPTION'
  ],
  ['a lag without replicas', { connectors: { default: { url: 'postgres://h/d', maxLagMs: 5 } } }, 'SVC_SQLORM_OPTION'],
  [
    'a replica of another kind',
    { connectors: { default: { url: 'postgres://h/d', replicas: ['sqlite:a.db'] } } },
    'SVC_SQLORM_URL'
  ],
  ['too many idle', { connectors: { default: { url: 'postgres://h/d', poolMin: 11 } } }, 'SVC_SQLORM_POOL'],
  [
    'a disk of PostgreSQL',
    { connectors: { default: { url: 'postgres://h/d', synchronous: 'full' } } },
    'SVC_SQLORM_OPTION'
  ]
]

for (const [why, options, code] of REFUSED) {
  t.test(`refused: ${why}`, async (t) => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    const registered = Promise.resolve(fastify.register(svcSqlorm, options as never))
    const error: unknown = await registered.then(
      () => null,
      (reason: unknown) => reason
    )
    t.match(error, { name: 'BootError', code })
    t.notOk(String(error).includes('secret'))
  })
}

t.test('names of tables that are taken, or too long, are refused together', async (t) => {
  const schema = { title: { type: 'string' } } as const
  const names = ['SqliteThing', 'PgThing', 'SvcSession', 'VeryLong'.repeat(7)]
  const entities = names.map((name) => defineEntity({ name, schema }))
  const { fastify } = await sqlApp(t, 'sqlite::memory:', { entities })
  const error: unknown = await Promise.resolve(fastify.ready()).then(
    () => null,
    (reason: unknown) => reason
  )
  t.match(error, { code: 'SVC_SQLORM_NAME' })
  for (const name of names) t.ok(String(error).includes(`the entity ${name} leads`), name)
})

t.test('names of columns that PostgreSQL keeps for itself are refused on every engine', async (t) => {
  const entity = defineEntity({ name: 'Spot', schema: { xmin: { type: 'integer' }, ctid: { type: 'string' } } })
  const { fastify } = await sqlApp(t, 'sqlite::memory:', { entities: [entity] })
  await t.rejects(Promise.resolve(fastify.ready()), {
    code: 'SVC_SQLORM_NAME',
    problems: [{ message: /^Spot\.xmin / }, { message: /^Spot\.ctid / }]
  })
})
