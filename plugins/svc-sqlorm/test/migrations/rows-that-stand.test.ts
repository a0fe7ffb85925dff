/** What becomes of rows where an entity keeps deleted rows no more, keeps moments, or retires a field; on both engines. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineEntity, type EntityDefinition } from 'svc-orm'
import t, { type Test } from 'tap'
import { problemsOf, project } from '../support/migrated-project.ts'
import { onPostgres } from '../support/on-postgres.ts'

const entity = (schema: EntityDefinition['schema'], more: Partial<EntityDefinition> = {}) =>
  defineEntity({ name: 'Person', ...more, schema })

const NAME = { name: { type: 'string' } } as const

function standingRowTests(t: Test, newUrl: () => Promise<string | undefined>): void {
  const begin = async (t: Test, first: EntityDefinition) => {
    const begun = project(t, await newUrl())
    const { migrations, fastify } = await begun.app([first])
    await migrations.diff('first')
    await migrations.migrate()
    await fastify.close()
    const last = () => join(begun.folder, begun.files().at(-1) ?? '')
    return {
      ...begun,
      change: (from: string, to: string) => {
        const text = readFileSync(last(), 'utf8')
        t.ok(text.includes(from), `the file says ${from}`)
        writeFileSync(last(), text.replace(from, to))
      },
      source: () => readFileSync(last(), 'utf8')
    }
  }

  for (const [deleted, left] of [
    ['restore', ['a', 'b', 'c']],
    ['remove', ['c']]
  ] as const) {
    t.test(`M11: softDelete taken away says how many deleted rows come back (${deleted})`, async (t) => {
      const kept = entity(NAME, { softDelete: true })
      const { app, change, source } = await begin(t, kept)
      const before = await app([kept], { opened: true })
      const people = before.orm.repository('Person')
      for (const name of ['a', 'b', 'c']) await people.create({ name })
      for (const name of ['a', 'b']) await people.delete({ name })
      await before.fastify.close()
      const { migrations, fastify } = await app([entity(NAME)])
      await migrations.diff('gone')
      t.match(source(), /DATA: 2 deleted rows would come back without Person\.deletedAt/)
      const [refused] = await problemsOf(migrations.migrate())
      t.match(refused, {
        code: 'SVC_ORM_MIGRATION_DATA',
        message: /^2 rows of Person are deleted, and would come back/
      })
      change('deleted: undefined', `deleted: '${deleted}'`)
      await migrations.migrate()
      await fastify.close()
      const after = await app([entity(NAME)], { opened: true, mode: 'production' })
      const rows = await after.orm.repository('Person').find({}, { order: [['name', 'ASC']] })
      t.strictSame(
        rows.map(({ name }) => name),
        left
      )
    })
  }

  t.test('M13: timestamps on an entity with rows run as they are written', async (t) => {
    const { app, source } = await begin(t, entity(NAME))
    const before = await app([entity(NAME)], { opened: true })
    await before.orm.repository('Person').create({ name: 'a' })
    await before.fastify.close()
    const stamped = entity(NAME, { timestamps: true })
    const { migrations, fastify } = await app([stamped])
    await migrations.diff('moments')
    t.match(source(), /DATA: existing rows get the time of this migration as Person\.createdAt/)
    await migrations.migrate()
    await fastify.close()
    const after = await app([stamped], { opened: true, mode: 'production' })
    t.match(await after.orm.repository('Person').find(), [{ name: 'a', createdAt: Date, updatedAt: Date }])
  })

  t.test(
    'I5: a retired field leaves the code, its column stays for the version before, and goes in the next release',
    async (t) => {
      const both = entity({ ...NAME, first: { type: 'string', nullable: true } })
      const retired = entity({ name: { type: 'string', retired: true }, first: { type: 'string', nullable: true } })
      const without = entity({ first: { type: 'string', nullable: true } })
      const { app, source } = await begin(t, both)
      const older = await app([both], { opened: true, mode: 'production' })
      await older.orm.repository('Person').create({ name: 'Ada Lovelace', first: 'Ada' })

      const change = await app([retired])
      t.strictSame((await change.migrations.diff('retire name'))?.steps, [
        'change Person.name from text to text, may be null'
      ])
      await change.migrations.migrate()
      const newer = await app([retired], { opened: true, mode: 'production' })
      t.strictSame(
        newer.log.lines.filter(({ level }) => level >= 40),
        []
      )
      await newer.orm.repository('Person').create({ first: 'Alan' })
      await older.orm.repository('Person').create({ name: 'Grace Hopper', first: 'Grace' })
      t.strictSame(
        (await newer.orm.repository('Person').find({}, { order: [['first', 'ASC']] })).map(({ id: _, ...row }) => row),
        [{ first: 'Ada' }, { first: 'Alan' }, { first: 'Grace' }]
      )
      t.match(await older.orm.repository('Person').findOne({ first: 'Grace' }), { name: 'Grace Hopper' })
      await t.rejects(newer.orm.repository('Person').find({ name: 'Ada Lovelace' }), { code: 'SVC_ORM_UNKNOWN_FIELD' })
      await older.fastify.close()

      const last = await app([without])
      t.strictSame((await last.migrations.diff('drop name'))?.steps, ['drop Person.name'])
      t.match(source(), /deletes every value of Person\.name; writes of older instances then fail/)
      await last.migrations.migrate()
      t.equal(await newer.orm.repository('Person').count(), 3)
      await newer.orm.repository('Person').create({ first: 'Edsger' })
    }
  )

  t.test('I5: a field that is retired from the start has no column', async (t) => {
    const { app } = await begin(t, entity({ first: { type: 'string' }, name: { type: 'string', retired: true } }))
    const { orm, migrations } = await app([entity({ first: { type: 'string' } })], { opened: true, mode: 'production' })
    await orm.repository('Person').create({ first: 'Ada' })
    t.match(await migrations.status(), [{ unwritten: [], problems: [] }])
  })
}

t.test('SQLite', async (t) => standingRowTests(t, async () => undefined))
await onPostgres(async (t, server) => standingRowTests(t, () => server.createDatabase()))
