/** Native handles of documents with scoped entities: refused in a scope, given across scopes or where that is said. */
import Fastify from 'fastify'
import svcOrm, { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import svcDocdb from '../../src/index.ts'
import { documents } from '../support/documents.ts'

const Scoped = defineEntity({ name: 'Scoped', scope: 'organization', schema: { title: { type: 'string' } } })
const Plain = defineEntity({ name: 'Plain', schema: { title: { type: 'string' } } })

const REFUSED = { code: 'SVC_ORM_NATIVE_IN_SCOPE', statusCode: 500 }

async function app(t: Test, entity: typeof Scoped | typeof Plain) {
  const { uri } = await documents(t)
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { parts: { entities: [entity] } })
  await fastify.register(svcDocdb, { connectors: { svc: { uri } } })
  await fastify.ready()
  return fastify
}

t.test('each way is refused outside of any scope, and in one', async (t) => {
  const { orm, docdb, mongo } = await app(t, Scoped)
  const refusals = async () => {
    t.throws(() => docdb.connection(), REFUSED)
    t.throws(() => docdb.model('Scoped'), { ...REFUSED, message: /^model Scoped of connector svc/ })
    t.throws(() => mongo.db, REFUSED)
    t.throws(() => mongo.client, REFUSED)
    await orm.transaction(async (tx) => {
      t.throws(() => docdb.session(tx), REFUSED)
      t.throws(() => tx.session, REFUSED)
    })
  }
  await refusals()
  await orm.withScope({ organization: 'a' }, refusals)
})

t.test('across scopes each is given, and where its caller says so', async (t) => {
  const { orm, docdb, mongo } = await app(t, Scoped)
  await orm.withScope({ organization: 'a' }, () => orm.repository(Scoped).create({ title: 'of a' }))
  const told = { acrossScopes: true }
  t.equal(await docdb.model('Scoped', undefined, told).countDocuments({}), 1)
  t.ok(docdb.connection(undefined, told).getClient())
  await orm.transaction(async (tx) => {
    const session = docdb.session(tx, told)
    t.equal(await docdb.model('Scoped', undefined, told).countDocuments({}, { session }), 1)
  })
  await orm.acrossScopes('a report', async () => {
    t.equal(await docdb.model('Scoped').countDocuments({}), 1)
    t.equal(await mongo.db?.collection('Scoped').countDocuments({}), 1)
    t.equal(docdb.connection().getClient(), mongo.client)
    await orm.transaction(async (tx) => t.equal(docdb.session(tx), tx.session))
  })
})

t.test('without entities with a scope nothing is refused', async (t) => {
  const { orm, docdb, mongo } = await app(t, Plain)
  t.equal(docdb.connection().getClient(), mongo.client)
  t.ok(docdb.model('Plain'))
  t.ok(mongo.db)
  await orm.transaction(async (tx) => t.ok(docdb.session(tx)))
})
