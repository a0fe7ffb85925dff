/** Pages, filters and purges of repositories use the indexes of their entity, on both engines. */
import { CompiledQuery, type Kysely } from 'kysely'
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import type { CapturedLog } from '../support/captured-log.ts'
import { onPostgres } from '../support/on-postgres.ts'
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

/** The plan of each statement that `work` sends: its text stands in the debug log. */
async function plansOf(log: CapturedLog, work: () => Promise<unknown>, explain: (sql: string) => Promise<string>) {
  const from = log.lines.length
  await work()
  const statements = log.lines.slice(from).map(({ msg }) => msg)
  return (await Promise.all(statements.map(explain))).join('\n')
}

async function planTests(t: Test, url: string, explain: (db: Kysely<unknown>, sql: string) => Promise<string>) {
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
    const plan = await plansOf(log, call, (sql) => explain(db, sql))
    t.match(plan, index, name)
  }
}

t.test('SQLite', (t) =>
  planTests(t, 'sqlite::memory:', async (db, sql) => {
    const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`))
    return rows.map(({ detail }) => detail).join('\n')
  })
)

await onPostgres(async (t, server) =>
  planTests(t, await server.createDatabase(), async (db, sql) => {
    // The plan of the prepared statement, whatever its parameters are.
    const plans = await db.connection().execute(async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('set plan_cache_mode = force_generic_plan'))
      // A table of this size is read whole as soon as a third of it might match.
      await connection.executeQuery(CompiledQuery.raw('set enable_seqscan = off'))
      const count = new Set(sql.match(/\$\d+/g)).size
      await connection.executeQuery(CompiledQuery.raw(`prepare looked_at as ${sql}`))
      const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join()})`
      const { rows } = await connection.executeQuery<{ 'QUERY PLAN': string }>(
        CompiledQuery.raw(`explain execute looked_at${values}`)
      )
      await connection.executeQuery(CompiledQuery.raw('deallocate looked_at'))
      return rows
    })
    return plans.map((row) => row['QUERY PLAN']).join('\n')
  })
)
