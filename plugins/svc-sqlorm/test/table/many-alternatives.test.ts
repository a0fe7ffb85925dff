/**
 * Criteria of thousands of alternatives: answered up to a bound, refused with a code beyond it, and not kept as statements.
 * In the long run: its statements have thousands of parts, on two databases.
 */
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import { queriesOf } from '../support/entries-read.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'

const EVENT = defineEntity({
  name: 'Event',
  schema: { number: { type: 'integer' }, level: { type: 'float', nullable: true } }
})

const REFUSED = { code: 'SVC_ORM_CRITERIA', statusCode: 400, message: /Event.*10000 criteria/ }

async function alternatives(t: Test, url: string): Promise<void> {
  const { fastify } = await sqlApp(t, url, { entities: [EVENT] })
  await fastify.ready()
  const events = fastify.orm.repository(EVENT)
  await events.createMany(Array.from({ length: 10 }, (_, number) => ({ number, level: number / 2 })))
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ number: index + 5 }))

  t.equal(await events.count({ $or: numbers(10_000) }), 5, 'as many as a statement takes')
  t.equal(await events.updateMany({ $or: numbers(10_000) }, { level: 0 }), 5)
  await t.rejects(events.count({ $or: numbers(10_001) }), REFUSED)
  await t.rejects(events.updateMany({ $or: numbers(70_000) }, { level: 1 }), REFUSED)
  await t.rejects(events.delete({ $not: { $and: numbers(40_000) } }), REFUSED)
  t.equal(
    await events.count({ number: { $in: numbers(200_000).map(({ number }) => number) } }),
    5,
    'a list is one value'
  )
  const levels = Array.from({ length: 20_000 }, (_, index) => index + 0.5)
  t.equal(await events.count({ level: { $in: levels } }), 2, 'of numbers with a fraction as well')
  t.equal(await events.count({ level: 1 }), 1, 'what was refused changed nothing')

  const [first] = await queriesOf(() => events.count({ $or: numbers(3000) }), true)
  const [second] = await queriesOf(() => events.count({ $or: numbers(3000) }), true)
  t.equal(second?.sql, first?.sql)
  t.not(second?.query, first?.query, 'so large a statement is not kept')
  const few = async () => (await queriesOf(() => events.count({ $or: numbers(3) }), true))[0]?.query
  t.equal(await few(), await few(), 'as small ones are')
}

t.test('M8: SQLite', (t) => alternatives(t, 'sqlite::memory:'))

await onPostgres(async (t, server) => {
  await t.test('M8: PostgreSQL', async (t) => alternatives(t, await server.createDatabase()))
})
