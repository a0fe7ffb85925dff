/** Entities with a key of several fields in migrations: their tables, their rows in batches, and keys that stay; on both engines. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { defineEntity, type EntityDefinition } from 'svc-orm'
import t, { type Test } from 'tap'
import { problemsOf, project } from '../support/migrated-project.ts'
import { onPostgres } from '../support/on-postgres.ts'

const seat = (schema: EntityDefinition['schema'], key: readonly string[] = ['block', 'place']) =>
  defineEntity({ name: 'Seat', key, schema })

const KEY = { block: { type: 'string' }, place: { type: 'integer' } } as const
const ROWS = 2100

const withId = defineEntity({ name: 'Seat', schema: KEY })

function keyedTests(t: Test, newUrl: () => Promise<string | undefined>): void {
  const begin = async (t: Test, first: EntityDefinition) => {
    const begun = project(t, await newUrl())
    const { migrations, fastify } = await begun.app([first])
    await migrations.diff('first')
    await migrations.migrate()
    await fastify.close()
    return { ...begun, last: () => join(begun.folder, begun.files().at(-1) ?? '') }
  }

  t.test('the table has the primary key and no id; a key field is renamed, and back', async (t) => {
    const { app } = await begin(t, seat(KEY))
    const first = await app([seat(KEY)], { opened: true, mode: 'production' })
    await first.orm.repository('Seat').create({ block: 'a', place: 1 })
    const db = first.fastify.sqlorm.kysely()
    await t.rejects(sql`select id from seat`.execute(db))
    await t.rejects(sql`insert into seat (block, place) values ('a', 1)`.execute(db))
    await first.fastify.close()

    const later = seat({ block: { type: 'string' }, number: { type: 'integer', was: 'place' } }, ['block', 'number'])
    const { migrations, fastify } = await app([later])
    t.strictSame((await migrations.diff('rename'))?.steps, [
      'drop unique index (block, place) of Seat',
      'rename Seat.place to number',
      'add unique index (block, number) of Seat'
    ])
    await migrations.migrate()
    await fastify.close()
    const second = await app([later], { opened: true, mode: 'production' })
    t.match(await second.orm.repository('Seat').findOne({ id: 'a,1' }), { block: 'a', number: 1 })
    await second.migrations.rollback(1)
    await second.fastify.close()
    const third = await app([seat(KEY)], { opened: true })
    t.match(await third.orm.repository('Seat').find(), [{ id: 'a,1', place: 1 }])
  })

  t.test('rows are changed in batches by their key', async (t) => {
    const { app, last } = await begin(t, seat({ ...KEY, price: { type: 'string' } }))
    const first = await app([seat({ ...KEY, price: { type: 'string' } })], { opened: true })
    const rows = Array.from({ length: ROWS }, (_, index) => ({
      block: index % 2 === 0 ? "it's" : 'b,c',
      place: index - 5,
      price: String(index)
    }))
    await first.orm.repository('Seat').createMany(rows)
    await first.fastify.close()
    const later = seat({ ...KEY, price: { type: 'integer' } })
    const { migrations, fastify } = await app([later])
    await migrations.diff('price')
    const step =
      "const ids = []\n    await m.eachRow('Seat', [{ name: 'price', type: 'integer' }], (row) => { ids.push(row.id); return { price: row.price + 1 } })\n    if (new Set(ids).size !== 2100 || !ids.includes('b%2Cc,2')) throw new Error('ids')"
    const text = readFileSync(last(), 'utf8')
    writeFileSync(last(), text.replace('    // DATA: add your own', `    ${step}\n    // DATA: add your own`))
    await migrations.migrate()
    await fastify.close()
    const second = await app([later], { opened: true })
    const changed = await second.orm.repository('Seat').find({}, { order: [['place', 'ASC']] })
    t.strictSame(
      changed.map(({ place, price }) => [place, price]),
      rows.map(({ place }, index) => [place, index + 1])
    )
  })

  for (const [name, before, after] of [
    ['id becomes a key', withId, seat(KEY)],
    ['a key becomes id', seat(KEY), withId],
    ['another order', seat(KEY), seat(KEY, ['place', 'block'])],
    ['another type', seat(KEY), seat({ ...KEY, place: { type: 'string' } })]
  ] as const) {
    t.test(`a key that changes is refused, and nothing is written: ${name}`, async (t) => {
      const { app, files } = await begin(t, before)
      const written = files()
      const { migrations } = await app([after])
      const [problem] = await problemsOf(migrations.diff('key'))
      t.match(problem, { code: 'SVC_ORM_MIGRATION_KEY', message: /Seat.*key/, fix: /another name/ })
      t.strictSame(files(), written)
    })
  }
}

t.test('SQLite', async (t) => keyedTests(t, async () => undefined))
await onPostgres(async (t, server) => keyedTests(t, () => server.createDatabase()))
