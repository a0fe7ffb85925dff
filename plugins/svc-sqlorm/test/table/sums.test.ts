/** What `increment` would carry beyond its type is refused by the table itself, whoever adds. */
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'

const METER = defineEntity({ name: 'Meter', schema: { count: { type: 'integer' }, level: { type: 'float' } } })

async function refusesTooMuch(t: Test, url: string): Promise<void> {
  const { fastify } = await sqlApp(t, url, { entities: [METER] })
  await fastify.ready()
  const meters = fastify.orm.repository(METER)
  const most = { count: Number.MAX_SAFE_INTEGER, level: Number.MAX_VALUE }
  const { id } = await meters.create(most)
  const refusal = { code: 'SVC_ORM_VALUE', statusCode: 400 }
  await t.rejects(meters.increment({ id }, 'count'), refusal)
  await t.rejects(meters.increment({ id }, 'level', Number.MAX_VALUE), refusal)
  t.match(await meters.findOne({ id }), most, 'nothing was written')
  t.equal((await meters.increment({ id }, 'count', -1))?.count, Number.MAX_SAFE_INTEGER - 1)
  t.equal((await meters.increment({ id }, 'level', -Number.MAX_VALUE))?.level, 0)
}

t.test('SQLite', (t) => refusesTooMuch(t, 'sqlite::memory:'))

await onPostgres(async (t, server) => refusesTooMuch(t, await server.createDatabase()))
