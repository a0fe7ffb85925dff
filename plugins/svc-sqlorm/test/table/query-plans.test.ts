/** Pages, filters and purges of repositories use the indexes of their entity, on both engines. */
import { CompiledQuery } from 'kysely'
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { type Explain, explainPostgres, explainSqlite, plansOf } from '../support/query-plans.ts'
import { sqlApp } from '../support/sql-app.ts'

const EVENT = defineEntity({
  name: 'Event',
  schema: {
    ts: { type: 'integer' },
    actor: { type: 'string', nullable: true },
    code: { type: 'string', unique: true }
  },
  indexes: [{ fields: ['ts'] }, { fields: ['actor', 'ts'] }]
})

async function planTests(t: Test, url: string, explain: Explain) {
  const { fastify, log } = await sqlApp(t, url, { entities: [EVENT], debug: true })
  await fastify.ready()
  const events = fastify.orm.repository(EVENT)
  for (let start = 0; start < 4000; start += 1000) {
    await events.createMany(
      Array.from({ length: 1000 }, (_, index) => ({
        ts: start + index,
        actor: index % 5 === 0 ? null : `actor ${index % 200}`,
        code: `code ${start + index}`
      }))
    )
  }
  const db = fastify.sqlorm.kysely<unknown>()
  await db.executeQuery(CompiledQuery.raw('analyze event'))
  const calls: readonly (readonly [name: string, call: () => Promise<unknown>, index: RegExp])[] = [
    ['by id', () => events.findOne({ id: '01890000-0000-7000-8000-000000000000' }), /event_1|event_pkey/],
    ['by a unique field', () => events.findOne({ code: 'code 7' }), /event_code_\w+_key/],
    ['a page, oldest first', () => events.find({}, { order: [['ts', 'ASC']], limit: 20 }), /event_ts_id/],
    ['a page, newest first', () => events.find({}, { order: [['ts', 'DESC']], limit: 20 }), /event_ts_id/],
    ['a filter', () => events.find({ actor: 'actor 7' }, { order: [['ts', 'DESC']], limit: 20 }), /event_actor_ts/],
    ['a list', () => events.find({ code: ['code 1', 'code 2'] }), /event_code_\w+_key/],
    ['null', () => events.find({ actor: null }, { order: [['ts', 'ASC']], limit: 20 }), /event_(?:actor_ts|ts_id)/],
    ['a count', () => events.count({ actor: 'actor 7' }), /event_actor_ts/],
    ['an update of one', () => events.updateOne({ ts: 7 }, { actor: 'x' }), /event_ts_id/],
    ['a purge', () => events.delete({ ts: { $lt: 20 } }), /event_ts_id/]
  ]
  for (const [name, call, index] of calls) {
    const plan = await plansOf(log, call, (statement) => explain(db, statement))
    t.match(plan, index, name)
  }
}

t.test('SQLite', (t) => planTests(t, 'sqlite::memory:', explainSqlite))

await onPostgres(async (t, server) => planTests(t, await server.createDatabase(), explainPostgres))
