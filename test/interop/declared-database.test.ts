/** `auto` follows the database that the environment declares, whatever the order in which the drivers are listed. */
import Fastify, { type FastifyInstance } from 'fastify'
import svcDocdb from 'svc-docdb'
import { sessionStore } from 'svc-security/stores'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'

const sql = (fastify: FastifyInstance) =>
  fastify.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } } })
const documents = (fastify: FastifyInstance) =>
  fastify.register(svcDocdb, { connectors: { svc: { uri: 'mongodb://127.0.0.1:1/x', selectionTimeoutMs: 100 } } })
const documentsByEnvironment = (fastify: FastifyInstance) => fastify.register(svcDocdb)

/** Never started: what is chosen is known when the drivers have registered. */
async function chosen(
  t: Test,
  url: string | null,
  drivers: readonly ((fastify: FastifyInstance) => PromiseLike<unknown>)[]
): Promise<string | null> {
  const before = process.env.SVC_DATABASE_URL
  t.teardown(() => {
    if (before === undefined) delete process.env.SVC_DATABASE_URL
    else process.env.SVC_DATABASE_URL = before
  })
  if (url === null) delete process.env.SVC_DATABASE_URL
  else process.env.SVC_DATABASE_URL = url
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  for (const driver of drivers) await driver(fastify)
  return fastify.stores.select(sessionStore, 'auto').driver
}

const DOCUMENTS = 'mongodb://127.0.0.1:1/shop'

t.test('D9: the document database that SVC_DATABASE_URL declares is chosen, whatever the order', async (t) => {
  t.equal(await chosen(t, DOCUMENTS, [sql, documents]), 'docdb')
  t.equal(await chosen(t, DOCUMENTS, [documents, sql]), 'docdb')
  t.equal(await chosen(t, DOCUMENTS, [sql, documentsByEnvironment]), 'docdb')
  t.equal(await chosen(t, DOCUMENTS, [sql]), 'sqlorm', 'where its driver is not loaded, the one that is')
})

t.test('D9: so is the SQL database', async (t) => {
  for (const url of ['postgres://h/shop', 'sqlite:data/shop.db']) {
    t.equal(await chosen(t, url, [documents, sql]), 'sqlorm', url)
    t.equal(await chosen(t, url, [sql, documents]), 'sqlorm', url)
  }
})

t.test('D9: without it the first that is listed and declared is chosen', async (t) => {
  t.equal(await chosen(t, null, [documents, sql]), 'docdb')
  t.equal(await chosen(t, null, [sql, documents]), 'sqlorm')
})
