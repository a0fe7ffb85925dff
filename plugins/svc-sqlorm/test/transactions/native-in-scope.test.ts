/** Native handles of a connector with scoped entities: refused in a scope, given across scopes or where that is said. */
import Fastify from 'fastify'
import type { Kysely } from 'kysely'
import svcOrm, { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import svcSqlorm from '../../src/index.ts'

const Scoped = defineEntity({ name: 'Scoped', scope: 'organization', schema: { title: { type: 'string' } } })
const Plain = defineEntity({ name: 'Plain', schema: { title: { type: 'string' } } })

const REFUSED = { code: 'SVC_ORM_NATIVE_IN_SCOPE', statusCode: 500 }

async function app(t: Test, entity: typeof Scoped | typeof Plain) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { parts: { entities: [entity] } })
  await fastify.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } } })
  await fastify.ready()
  return fastify
}

t.test('each way is refused outside of any scope, and in one', async (t) => {
  const { orm, sqlorm } = await app(t, Scoped)
  const refusals = async () => {
    t.throws(() => sqlorm.kysely(), { ...REFUSED, message: /^kysely of connector default sees the rows of all scopes/ })
    t.throws(() => sqlorm.connection(), REFUSED)
    await orm.transaction(async (tx) => {
      t.throws(() => sqlorm.kysely(tx), REFUSED)
      t.throws(() => tx.kysely, REFUSED)
    })
  }
  await refusals()
  await orm.withScope({ organization: 'a' }, refusals)
  await orm.acrossScopes('a report', () => orm.withScope({ organization: 'a' }, refusals))
})

t.test('across scopes each is given, and where its caller says so', async (t) => {
  const { orm, sqlorm } = await app(t, Scoped)
  await orm.withScope({ organization: 'a' }, () => orm.repository(Scoped).create({ title: 'of a' }))
  type Tables = Record<string, Record<string, unknown>>
  const titles = (kysely: Kysely<Tables>) => kysely.selectFrom('scoped').select('title').execute()
  const told = { acrossScopes: true }
  t.equal((await titles(sqlorm.kysely(undefined, told))).length, 1)
  t.ok(sqlorm.connection(undefined, told).connected)
  await orm.transaction(async (tx) => t.equal((await titles(sqlorm.kysely(tx, told))).length, 1))
  await orm.acrossScopes('a report', async () => {
    t.equal((await titles(sqlorm.kysely())).length, 1)
    t.ok(sqlorm.connection().connected)
    await orm.transaction(async (tx) =>
      t.equal((await tx.kysely?.selectFrom('scoped').selectAll().execute())?.length, 1)
    )
  })
})

t.test('without entities with a scope nothing is refused', async (t) => {
  const { orm, sqlorm } = await app(t, Plain)
  t.ok(sqlorm.kysely())
  t.ok(sqlorm.connection())
  await orm.transaction(async (tx) => t.ok(tx.kysely))
})
