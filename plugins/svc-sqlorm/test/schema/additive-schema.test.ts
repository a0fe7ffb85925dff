/** What a later boot adds to a table, and what it never does: on both engines. */
import { sql } from 'kysely'
import { defineEntity } from 'svc-orm'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FIRST = defineEntity({ name: 'Article', schema: { title: { type: 'string' } } })

const LATER = defineEntity({
  name: 'Article',
  schema: {
    title: { type: 'string', unique: true },
    summary: { type: 'text', nullable: true },
    stars: { type: 'integer', default: 3 },
    sku: { type: 'string' }
  },
  indexes: [{ fields: ['stars'] }]
})

const REQUIRED = 'article.sku is required and cannot be added to a table with rows'

function additiveTests(t: Test, newUrl: (t: Test) => Promise<string>): void {
  t.test('nullable columns are added; a required one is told, and what needs it is refused', async (t) => {
    const url = await newUrl(t)
    const before = await sqlApp(t, url, { entities: [FIRST] })
    await before.fastify.ready()
    const { id } = await before.fastify.orm.repository(FIRST).create({ title: 'kept' })
    await before.fastify.close()

    const { fastify, log } = await sqlApp(t, url, { entities: [LATER] })
    await fastify.ready()
    const told = log.messages()
    t.ok(told.includes('added column article.summary'))
    t.ok(told.includes('added column article.stars'))
    t.match(
      log.lines.find(({ code }) => code === 'SVC_ORM_REQUIRED_COLUMN'),
      {
        level: 40,
        msg: REQUIRED,
        fix: 'make it nullable, or npx svc orm:diff and npx svc orm:migrate; in development npx svc orm:reset, which deletes data'
      }
    )
    const articles = fastify.orm.repository(LATER)
    t.match(await articles.find(), [{ id, title: 'kept', summary: null, stars: 3, sku: null }])
    t.match(await articles.updateOne({ id }, { summary: 'new' }), { summary: 'new', stars: 3 })
    const refused = { code: 'SVC_ORM_REQUIRED_COLUMN', statusCode: 503, message: /article\.sku/ }
    await t.rejects(articles.create({ title: 'b', sku: 'x' }), refused)
    await t.rejects(articles.upsert({ title: 'b' }, { sku: 'x' }), refused)
    await t.rejects(articles.updateOne({ id }, { sku: 'x' }), refused)
    await t.rejects(articles.updateMany({}, { sku: 'x' }), refused)
    await t.rejects(articles.find({ sku: 'x' }), refused)
    await t.rejects(articles.find({}, { order: [['sku', 'ASC']] }), refused)
    await t.rejects(articles.count({ sku: 'x' }), refused)
    await t.rejects(articles.delete({ sku: 'x' }), refused)
    t.equal(await articles.delete({}), 1, 'everything else works')
  })

  t.test('instances that start together make the tables once', async (t) => {
    const url = await newUrl(t)
    const apps = await Promise.all(Array.from({ length: 4 }, () => sqlApp(t, url, { entities: [LATER] })))
    await Promise.all(apps.map(({ fastify }) => fastify.ready()))
    const made = apps.flatMap(({ log }) => log.messages().filter((message) => message.startsWith('created table')))
    t.strictSame(made, ['created table article (5 columns)'])
  })

  t.test('a unique index that rows contradict stops the boot', async (t) => {
    const url = await newUrl(t)
    const before = await sqlApp(t, url, { entities: [FIRST] })
    await before.fastify.ready()
    await before.fastify.orm.repository(FIRST).createMany([{ title: 'secret twin' }, { title: 'secret twin' }])
    await before.fastify.close()
    const { fastify } = await sqlApp(t, url, { entities: [LATER] })
    const error: unknown = await Promise.resolve(fastify.ready()).then(
      () => null,
      (reason: unknown) => reason
    )
    t.match(error, { name: 'BootError', code: 'SVC_SQLORM_DUPLICATES' })
    const got = /^2 rows of article share 1 value of title, for example the one with id [0-9a-f-]{36}$/
    t.match(error, { problems: [{ code: 'SVC_SQLORM_DUPLICATES', got }] })
    t.notOk(String(error).includes('secret twin'), 'no value is told')
  })

  t.test('columns and tables of others are left alone', async (t) => {
    const url = await newUrl(t)
    const before = await sqlApp(t, url, { entities: [LATER] })
    await before.fastify.ready()
    await sql`create table "of_others" (a text)`.execute(before.fastify.sqlorm.kysely())
    await before.fastify.orm.repository(LATER).create({ title: 'a', sku: 'x', summary: 's' })
    await before.fastify.close()
    const { fastify, log } = await sqlApp(t, url, { entities: [FIRST] })
    await fastify.ready()
    t.notOk(log.messages().some((message) => /created|added|dropped/.test(message)))
    const { rows } = await sql`select summary from article`.execute(fastify.sqlorm.kysely())
    t.match(rows, [{ summary: 's' }])
  })
}

t.test('SQLite', async (t) => additiveTests(t, async (t) => `sqlite:${temporaryFolder(t)}/app.db`))

await onPostgres(async (t, server) => additiveTests(t, () => server.createDatabase()))
