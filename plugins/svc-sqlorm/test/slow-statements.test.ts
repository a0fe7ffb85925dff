/** Slow statements on both engines: what the log and the statistics tell of them, and never a value. */
import { setImmediate as immediate } from 'node:timers/promises'
import Fastify from 'fastify'
import { sql } from 'kysely'
import svcOrm, { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import svcSqlorm from '../src/index.ts'
import { CapturedLog } from './support/captured-log.ts'
import { onPostgres } from './support/on-postgres.ts'

const Note = defineEntity({ name: 'PostItNote', schema: { title: { type: 'string' } } })

async function toldOn(t: Test, url: string): Promise<void> {
  const log = new CapturedLog()
  const fastify = Fastify({ logger: log.logger })
  t.teardown(() => fastify.close())
  // Each takes that long.
  await fastify.register(svcOrm, { flow: { slowMs: 0, slowStatementMs: 1e-6 }, parts: { entities: [Note] } })
  await fastify.register(svcSqlorm, { connectors: { default: { url } } })
  await fastify.ready()
  // What runs before the boot is over is no news, and that is heard of behind those who wait for it.
  await immediate()
  const notes = fastify.orm.repository(Note)
  await notes.createMany([{ title: 'secret one' }, { title: 'secret two' }])
  await notes.find({ title: { $in: ['secret one', 'secret two', 'secret three'] } })
  await sql`select 'secret four' as four, 12345 as five`.execute(fastify.sqlorm.kysely())
  await notes.updateMany({ title: 'secret one' }, { title: 'secret five' })
  const lines = log.lines.filter(({ code }) => code === 'SVC_ORM_SLOW_STATEMENT')
  const of = (kind: string) => lines.find(({ statement }) => String(statement).startsWith(kind))
  t.match(of('insert'), { entity: 'PostItNote', rows: 2, count: 1, ms: Number, level: 40 })
  t.match(of('select "id"'), {
    entity: 'PostItNote',
    rows: 2,
    statement: /where "title" (?:= any\(\?\)|in) ?.* order by/
  })
  t.match(of('update'), { entity: 'PostItNote', rows: 1 })
  t.match(of('select ? as four'), { connector: 'default', table: null, statement: 'select ? as four, ? as five' })
  t.notMatch(JSON.stringify(log.lines), /secret (?:one|two|three|four|five)|12345/)
  const shown = fastify.orm
    .flow()
    .view()
    .slow.map(({ operation, statement }) => [operation, statement?.split(' ')[0]])
  t.strictSame(shown, [
    ['updateMany', 'update'],
    ['find', 'select'],
    ['createMany', 'insert']
  ])
}

t.test('SQLite', (t) => toldOn(t, 'sqlite::memory:'))

await onPostgres(async (t, server) => {
  await t.test('told with its entity and rows', async (t) => toldOn(t, await server.createDatabase()))
  await t.test('from slowStatementMs on, as the server takes', async (t) => {
    const log = new CapturedLog()
    const fastify = Fastify({ logger: log.logger })
    t.teardown(() => fastify.close())
    await fastify.register(svcOrm, { flow: { slowStatementMs: 300 } })
    await fastify.register(svcSqlorm, { connectors: { default: { url: await server.createDatabase() } } })
    await fastify.ready()
    await sql`select pg_sleep(${0.4}) as slept`.execute(fastify.sqlorm.kysely())
    const told = log.lines.filter(({ statement }) => String(statement).includes('pg_sleep'))
    t.match(told, [{ code: 'SVC_ORM_SLOW_STATEMENT', statement: 'select pg_sleep(?) as slept', rows: 1 }])
    t.ok(Number(told[0]?.ms) >= 300)
  })
})
