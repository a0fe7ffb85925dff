/** Foreign keys that a migration makes on tables that stand, with and without rows in the way; on both engines. */
import { sql } from 'kysely'
import { defineEntity, type EntityDefinition, type FieldDefinition } from 'svc-orm'
import t, { type Test } from 'tap'
import { problemsOf, project } from '../support/migrated-project.ts'
import { onPostgres } from '../support/on-postgres.ts'

type Rule = 'restrict' | 'cascade' | 'setNull' | 'none'

const Writer = defineEntity({ name: 'Writer', schema: { name: { type: 'string' } } })

function novel(onDelete: Rule, more: Partial<EntityDefinition> = {}): EntityDefinition {
  const writer = { type: 'many-to-one', target: 'Writer', nullable: true, onDelete } as const
  return defineEntity({ name: 'Novel', schema: { title: { type: 'string' } }, relations: { writer }, ...more })
}

function referenceTests(t: Test, newUrl: () => Promise<string | undefined>): void {
  /** As a version left it that kept no reference. */
  const begin = async (t: Test, orphans: number) => {
    const begun = project(t, await newUrl())
    const { fastify, orm, migrations } = await begun.app([Writer, novel('none')], { opened: true })
    await migrations.diff('first')
    await migrations.migrate()
    const ada = await orm.repository('Writer').create({ name: 'Ada' })
    await orm.repository('Novel').create({ title: 'kept', writerId: ada.id })
    const gone = Array.from({ length: orphans }, (_, index) => ({
      title: `lost ${index}`,
      writerId: `00000000-0000-7000-8000-00000000000${index}`
    }))
    const made = await orm.repository('Novel').createMany(gone)
    await fastify.close()
    return { ...begun, ada: ada.id, lost: made.map(({ id }) => id) }
  }
  const opened = { opened: true, mode: 'production' } as const

  t.test(
    'a standing table opens without its foreign key; a migration adds it, and drops it on the way back',
    async (t) => {
      const { app, ada } = await begin(t, 0)
      const entities = [Writer, novel('cascade')]
      const before = await app(entities, opened)
      t.equal(await before.orm.repository('Writer').count(), 1)
      t.match(await before.migrations.status(), [
        { unwritten: [/^keep the reference Novel\.writerId to Writer \(cascade\)/], problems: [] }
      ])
      await before.fastify.close()

      const { migrations, fastify } = await app(entities)
      t.strictSame((await migrations.diff('keep'))?.steps.length, 1)
      await migrations.migrate()
      t.equal(await migrations.diff('again'), null)
      await fastify.close()
      const after = await app(entities, opened)
      t.match(await after.migrations.status(), [{ unwritten: [], problems: [] }])
      const bad = { title: 'x', writerId: '00000000-0000-7000-8000-000000000009' }
      await t.rejects(after.orm.repository('Novel').create(bad), { code: 'SVC_ORM_REFERENCE_MISSING' })
      await after.orm.repository('Writer').deleteOne({ id: ada })
      t.equal(await after.orm.repository('Novel').count(), 0)
      await after.fastify.close()

      const back = await app(entities)
      await back.migrations.rollback(1)
      await back.fastify.close()
      const loose = await app([Writer, novel('none')], opened)
      t.match(await loose.orm.repository('Novel').create(bad), bad)
      await loose.fastify.close()
    }
  )

  t.test('rows without their row stop it before anything changes, and are named; orm:check mends them', async (t) => {
    const { app, lost } = await begin(t, 7)
    const entities = [Writer, novel('setNull')]
    const { migrations, fastify } = await app(entities)
    await migrations.diff('keep')
    const [refused] = await problemsOf(migrations.migrate())
    t.match(refused, { code: 'SVC_ORM_MIGRATION_DATA', fix: /orm:check --repair/ })
    const first = [...lost].sort().slice(0, 5).join(', ')
    t.ok(refused?.message.startsWith('7 rows of Novel name no Writer in writerId: rows '), String(refused?.message))
    t.ok(refused?.message.includes(`${first} and 2 more`), String(refused?.message))
    await fastify.close()

    const mending = await app(entities, opened)
    const [found] = await mending.orm.checkReferences()
    t.match(found, { entity: 'Novel', relation: 'writer', dangling: 7, first: [...lost].sort().slice(0, 5) })
    t.match(await mending.orm.repairReferences(), [{ entity: 'Novel', dangling: 7, repair: 'setNull' }])
    t.match(await mending.orm.checkReferences(), [{ dangling: 0, first: [] }])
    t.equal(await mending.orm.repository('Novel').count({ writerId: null }), 7)
    await mending.fastify.close()
    const again = await app(entities)
    t.match(await again.migrations.migrate(), [{ names: [/_keep$/] }])
    await again.fastify.close()
  })

  t.test('another rule, another name of the table and of the column: one key, which is kept', async (t) => {
    const { app, ada } = await begin(t, 0)
    const steps = async (entities: EntityDefinition[], name: string) => {
      const { migrations, fastify } = await app(entities)
      const written = await migrations.diff(name)
      await migrations.migrate()
      await fastify.close()
      return written?.steps
    }
    await steps([Writer, novel('restrict')], 'keep')
    t.match(await steps([Writer, novel('cascade')], 'rule'), [
      /^no longer keep .* \(restrict\)$/,
      /^keep .* \(cascade\)/
    ])
    const author = defineEntity({ name: 'Author', was: 'Writer', schema: { name: { type: 'string' } } })
    const story = defineEntity({
      name: 'Story',
      was: 'Novel',
      schema: { title: { type: 'string' } },
      relations: {
        by: { type: 'many-to-one', target: 'Author', nullable: true, onDelete: 'cascade', was: 'writerId' }
      }
    })
    const renamed = await steps([author, story], 'names')
    t.notOk(
      renamed?.some((step) => /reference/.test(step)),
      String(renamed)
    )
    // A referenced table is made again beside itself, and a referring one.
    const wider = { ...author, schema: { name: { type: 'text', nullable: true } } } as const
    const longer = { ...story, schema: { title: { type: 'string', nullable: true, maxLength: 200 } } } as const
    await steps([wider, longer], 'shapes')
    const { orm, fastify } = await app([wider, longer], opened)
    t.match(await orm.repository('Story').find(), [{ title: 'kept', byId: ada }])
    const connection = fastify.sqlorm.connection()
    const keys = await connection.run((db) => connection.engine.alteration.references(db))
    t.match(keys, [{ table: 'story', column: 'byId', target: 'author', key: 'id', onDelete: 'cascade' }])
    t.equal(keys.length, 1)
    await orm.repository('Author').delete({})
    t.equal(await orm.repository('Story').count(), 0)
    await fastify.close()
  })

  t.test('tables that refer to each other in a circle, by a boot, by a migration, and by a reset', async (t) => {
    const left = defineEntity({
      name: 'Left',
      schema: { name: { type: 'string' } },
      relations: { right: { type: 'many-to-one', target: 'Right', nullable: true } }
    })
    const right = defineEntity({
      name: 'Right',
      schema: { name: { type: 'string' } },
      relations: { left: { type: 'many-to-one', target: 'Left', deferrable: true } }
    })
    const begun = project(t, await newUrl())
    const { migrations, fastify } = await begun.app([left, right])
    t.strictSame((await migrations.diff('circle'))?.steps.length, 4)
    await migrations.migrate()
    await fastify.close()
    const after = await begun.app([left, right], { opened: true })
    t.match(await after.migrations.status(), [{ unwritten: [], problems: [] }])
    const one = await after.orm.repository('Left').create({ name: 'one' })
    const two = await after.orm.repository('Right').create({ name: 'two', leftId: one.id })
    await after.orm.repository('Left').updateOne({ id: one.id }, { rightId: two.id })
    await after.orm.connectors()[0]?.reset?.()
    t.equal(await after.orm.repository('Left').count(), 0)
    const connection = after.fastify.sqlorm.connection()
    const keys = await connection.run((db) => connection.engine.alteration.references(db))
    t.strictSame(keys.map(({ column, deferrable }) => `${column} ${deferrable}`).sort(), [
      'leftId true',
      'rightId false'
    ])
    await after.fastify.close()
    const back = await begun.app([left, right])
    await back.migrations.rollback(1)
    await back.fastify.close()
  })

  t.test('rows that are changed twice before their table is altered, below a deferrable key', async (t) => {
    const begun = project(t, await newUrl())
    const version = (field: Partial<FieldDefinition>) => {
      const [pages, year] = [{ type: 'integer', ...field } as const, { type: 'integer', ...field } as const]
      const writer = { type: 'many-to-one', target: 'Writer', deferrable: true } as const
      const indexes = field.nullable === true ? [] : [{ fields: ['pages', 'year'] }]
      return [Writer, defineEntity({ name: 'Novel', schema: { pages, year }, relations: { writer }, indexes })]
    }
    const before = await begun.app(version({ nullable: true }), { opened: true })
    const ada = await before.orm.repository('Writer').create({ name: 'Ada' })
    await before.orm.repository('Novel').create({ writerId: ada.id })
    await before.fastify.close()
    const { migrations, fastify } = await begun.app(version({ default: 1 }))
    await migrations.diff('required')
    await migrations.migrate()
    await fastify.close()
    const after = await begun.app(version({ default: 1 }), { opened: true })
    t.match(await after.orm.repository('Novel').find(), [{ writerId: ada.id, pages: 1, year: 1 }])
    const bad = { writerId: '00000000-0000-7000-8000-000000000009' }
    await t.rejects(after.orm.repository('Novel').create(bad), { code: 'SVC_ORM_REFERENCE_MISSING' })
    await after.fastify.close()
  })

  t.test('a column that goes takes its key along, and comes back with it', async (t) => {
    const { app } = await begin(t, 0)
    const alone = defineEntity({ name: 'Novel', schema: { title: { type: 'string' } } })
    for (const [entities, name] of [
      [[Writer, novel('restrict')], 'keep'],
      [[Writer, alone], 'drop']
    ] as const) {
      const { migrations, fastify } = await app([...entities])
      await migrations.diff(name)
      await migrations.migrate()
      await fastify.close()
    }
    const { migrations, fastify } = await app([Writer, alone])
    await migrations.rollback(1, { confirm: () => Promise.resolve(true) })
    await fastify.close()
    const { orm, fastify: again } = await app([Writer, novel('restrict')], opened)
    const bad = { title: 'x', writerId: '00000000-0000-7000-8000-000000000009' }
    await t.rejects(orm.repository('Novel').create(bad), { code: 'SVC_ORM_REFERENCE_MISSING' })
    await again.close()
  })

  t.test('a key that is there already as it is to be is left alone, also on the way back', async (t) => {
    const begun = project(t, await newUrl())
    const entities = [Writer, novel('restrict')]
    const made = await begun.app(entities, { opened: true })
    await made.fastify.close()
    const { migrations, fastify } = await begun.app(entities)
    await migrations.baseline()
    t.equal(await migrations.diff('nothing'), null)
    await migrations.migrate()
    await migrations.rollback(1)
    await fastify.close()
    const after = await begun.app(entities, { opened: true })
    const connection = after.fastify.sqlorm.connection()
    const keys = await connection.run((db) => connection.engine.alteration.references(db))
    t.match(keys, [{ table: 'novel', onDelete: 'restrict' }])
    const bad = connection.run((db) =>
      sql`insert into novel (id, title, "writerId") values ('a', 'b', 'c')`.execute(db)
    )
    await t.rejects(bad)
    await after.fastify.close()
  })
}

t.test('SQLite', { timeout: 120_000 }, async (t) => referenceTests(t, async () => undefined))

await onPostgres(async (t, server) => referenceTests(t, () => server.createDatabase()))
