/** Indexes of another kind than by order: made where the engine has them, told where it does not, refused where it lacks a part. */
import { CompiledQuery, type Kysely, sql } from 'kysely'
import pg from 'pg'
import { BootError } from 'svc-kernel'
import { defineEntity } from 'svc-orm'
import t from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'

const PAPER = defineEntity({
  name: 'Paper',
  schema: { title: { type: 'string' }, tags: { type: 'string', array: true }, data: { type: 'json', nullable: true } },
  indexes: [
    { fields: ['title'], method: 'trigram' },
    { fields: ['tags'], method: 'gin' },
    { fields: ['data'], method: 'gin', where: { data: { $null: false } } }
  ]
})

const PAPERS = { ...PAPER, indexes: PAPER.indexes.slice(0, 2) }

t.test('SQLite has none of them, and says so; the entity works', async (t) => {
  const { fastify, log } = await sqlApp(t, 'sqlite::memory:', { entities: [PAPERS] })
  await fastify.ready()
  const told = log.lines.filter(({ code }) => code === 'SVC_SQLORM_METHOD')
  t.strictSame(
    told.map(({ level, msg }) => [
      level,
      /^paper \((\w+)\): this database has no (\w+) index/.exec(String(msg))?.slice(1)
    ]),
    [
      [30, ['title', 'trigram']],
      [30, ['tags', 'gin']]
    ]
  )
  const papers = fastify.orm.repository(PAPERS)
  await papers.create({ title: 'A long word', tags: ['x'] })
  t.equal(await papers.count({ title: { $contains: 'LONG' }, tags: 'x' }), 1)
  t.strictSame(await fastify.orm.connectors()[0]?.schema?.differences(), [])
})

await onPostgres(async (t, server) => {
  const definitions = async (db: Kysely<unknown>) => {
    const { rows } = await sql<{ def: string }>`select indexdef as def from pg_indexes where tablename = 'paper'
      and indexdef like '%using gin%' or indexdef like '%USING gin%' order by indexdef`.execute(db)
    return rows.map(({ def }) => /USING gin (.*)$/.exec(def)?.[1])
  }

  await t.test('it has them, with the extension that they need, wherever that is', async (t) => {
    for (const before of [[], ['create schema parts', 'create extension pg_trgm schema parts']]) {
      const url = await server.createDatabase()
      const { fastify: empty } = await sqlApp(t, url, { entities: [] })
      await empty.ready()
      for (const text of before) await empty.sqlorm.kysely().executeQuery(CompiledQuery.raw(text))
      const { fastify, log } = await sqlApp(t, url, { entities: [PAPERS] })
      await fastify.ready()
      t.notOk(log.lines.some(({ code }) => code === 'SVC_SQLORM_METHOD'))
      const operators = `${before.length === 0 ? '' : 'parts.'}gin_trgm_ops`
      const found = await definitions(fastify.sqlorm.kysely())
      t.equal(found.length, 2)
      t.ok(found.includes('(tags jsonb_path_ops)'), String(found))
      t.match(
        found.find((each) => each?.includes('title')),
        `(title ${operators}, lower((title COLLATE "und-x-icu")) ${operators})`
      )
      await (await sqlApp(t, url, { entities: [PAPERS] })).fastify.ready()
    }
  })

  await t.test('a user who may not create it is told how to mend that, and nothing is made', async (t) => {
    const url = new URL(await server.createDatabase())
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    t.teardown(() => client.end())
    await client.query(`create role plain login password 'secret'; grant all on schema public to plain`)
    const owner = url.href
    url.username = 'plain'
    const { fastify } = await sqlApp(t, url.href, { entities: [PAPERS] })
    const error: unknown = await Promise.resolve(fastify.ready()).then(
      () => null,
      (reason: unknown) => reason
    )
    t.ok(error instanceof BootError)
    t.match(error, {
      problems: [{ code: 'SVC_SQLORM_EXTENSION', message: /pg_trgm, and the user may not create it/, fix: /owner/ }]
    })
    const { rows } = await client.query(`select 1 from pg_class where relname = 'paper'`)
    t.strictSame(rows, [])
    await client.query('create extension pg_trgm')
    await (await sqlApp(t, owner, { entities: [] })).fastify.ready()
    const { fastify: again } = await sqlApp(t, url.href, { entities: [PAPERS] })
    await again.ready()
    t.equal((await definitions(again.sqlorm.kysely())).length, 2)
  })
})
