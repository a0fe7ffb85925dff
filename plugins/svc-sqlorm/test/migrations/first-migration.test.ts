/** The first migration of a database that is there, and what a way back leaves, deletes and asks; on both engines. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { defineEntity, type EntityDefinition } from 'svc-orm'
import t, { type Test } from 'tap'
import { problemsOf, project } from '../support/migrated-project.ts'
import { onPostgres } from '../support/on-postgres.ts'

const entity = (schema: EntityDefinition['schema'], more: Partial<EntityDefinition> = {}) =>
  defineEntity({ name: 'Article', ...more, schema })

const V1 = entity({ title: { type: 'string', unique: true }, stars: { type: 'string' } })
const V2 = entity({ head: { type: 'string', unique: true, was: 'title' }, stars: { type: 'integer' } })
const DEAR = [
  { title: 'one', stars: '5' },
  { title: 'two', stars: '7' }
]

function firstMigrationTests(t: Test, newUrl: () => Promise<string | undefined>): void {
  /** The rows are written by the version that lived on what a boot adds. */
  const begin = async (t: Test, older: EntityDefinition = V1, rows: readonly object[] = DEAR) => {
    const begun = project(t, await newUrl())
    const { fastify, orm } = await begun.app([older], { opened: true })
    for (const row of rows) await orm.repository('Article').create(row)
    await fastify.close()
    const read = async (now: EntityDefinition) => {
      const opened = await begun.app([now], { opened: true, mode: 'production' })
      const found = await opened.orm.repository(now.name).find({}, { order: [['id', 'ASC']] })
      await opened.fastify.close()
      return found
    }
    const execute = async (statement: string) => {
      const opened = await begun.app([], { opened: true })
      await opened.fastify.sqlorm.connection().run((db) => sql.raw(statement).execute(db))
      await opened.fastify.close()
    }
    return { ...begun, read, execute }
  }

  t.test(
    'a field that an index folds by now: the migration fills its column, and refuses what is no longer unique',
    async (t) => {
      const rows = [
        { title: 'Ärger', stars: '1' },
        { title: 'two', stars: '2' },
        { title: 'TWO', stars: '3' }
      ]
      const now = entity(V1.schema, { indexes: [{ fields: [{ field: 'title', fold: true }], unique: true }] })
      const { app, read, execute } = await begin(t, V1, rows)
      const { migrations, fastify } = await app([now])
      t.match((await migrations.diff('folded'))?.steps, [
        'add Article.titleFolded (text, may be null)',
        'add unique index (titleFolded) of Article'
      ])
      const refused = await problemsOf(migrations.migrate())
      t.match(refused, [{ code: 'SVC_ORM_MIGRATION_DATA', message: /^2 rows of article share 1 value of titleFolded/ }])
      t.notMatch(JSON.stringify(refused), /two/i)
      await execute(`update article set title = 'three' where title = 'TWO'`)
      await migrations.migrate()
      await fastify.close()
      t.equal((await read(now)).length, 3)
      const opened = await app([now], { opened: true, mode: 'production' })
      const found = await opened.orm.repository('Article').find({ title: { $ieq: 'ÄRGER' } })
      t.match(found, [{ title: 'Ärger', stars: '1' }])
      await opened.fastify.close()
    }
  )

  t.test('a boot does not add that column beside rows: writes wait for the migration', async (t) => {
    const now = entity(V1.schema, { indexes: [{ fields: [{ field: 'title', fold: true }] }] })
    const { app } = await begin(t)
    const { orm, fastify } = await app([now], { opened: true })
    t.match(await orm.connectors()[0]?.schema?.differences(), [
      { code: 'SVC_ORM_REQUIRED_COLUMN', message: /titleFolded holds the folded text of title and cannot be added/ }
    ])
    await t.rejects(orm.repository('Article').create({ title: 'x', stars: '1' }), { code: 'SVC_ORM_REQUIRED_COLUMN' })
    await t.rejects(orm.repository('Article').find({ title: { $ieq: 'one' } }), { code: 'SVC_ORM_REQUIRED_COLUMN' })
    t.equal(await orm.repository('Article').count({ title: 'one' }), 1)
    await fastify.close()
  })

  t.test('U1: a baseline makes what stands; the migration after it runs here and on an empty database', async (t) => {
    const { app, read, folder, files } = await begin(t)
    const { migrations, fastify } = await app([V2])
    t.match((await migrations.baseline({ dryRun: true }))?.files, [])
    const written = await migrations.baseline()
    t.strictSame(written?.steps, ['create Article'])
    t.match(readFileSync(join(folder, files()[0] ?? ''), 'utf8'), /name: 'title'/)
    t.match(await problemsOf(migrations.baseline()), [{ code: 'SVC_ORM_MIGRATION_BASELINE' }])
    const next = await migrations.diff('better')
    t.equal(next?.baseline, null)
    t.strictSame(next?.steps, [
      'drop unique index (title) of Article',
      'rename Article.title to head',
      'change Article.stars from text to integer',
      'add unique index (head) of Article'
    ])
    t.match(await migrations.migrate(), [{ names: [/_baseline$/, /_better$/] }])
    await fastify.close()
    t.match(await read(V2), [
      { head: 'one', stars: 5 },
      { head: 'two', stars: 7 }
    ])
  })

  t.test('U1: both run where the new version has made its tables already, and has rows in them', async (t) => {
    const { app, folder } = await begin(t)
    const story = entity(V2.schema, { name: 'Story', was: 'Article' })
    const { migrations } = await app([story])
    await migrations.diff('story')
    const fresh = project(t, await newUrl())
    const booted = await fresh.app([story], { opened: true })
    await booted.orm.repository('Story').create({ head: 'own', stars: 1 })
    await booted.fastify.close()
    cpSync(folder, fresh.folder, { recursive: true })
    const next = await fresh.app([story])
    t.match(await next.migrations.migrate(), [{ names: [/_baseline$/, /_story$/] }])
    t.match(await next.migrations.status(), [{ problems: [] }])
    const after = await fresh.app([story], { opened: true, mode: 'production' })
    t.match(await after.orm.repository('Story').find(), [{ head: 'own', stars: 1 }])
  })

  t.test('U1: where nothing but tables is to be made, one file is written, and finds those that stand', async (t) => {
    const { app, files } = await begin(t)
    const other = defineEntity({ name: 'Note', schema: { text: { type: 'text' } } })
    const { migrations } = await app([V1, other])
    const written = await migrations.diff('first')
    t.strictSame(written?.steps, ['create Article', 'create Note'])
    t.equal(files().length, 1)
    await migrations.migrate()
    t.match(await migrations.status(), [{ unwritten: [], problems: [] }])
  })

  t.test('U2: a rollback leaves what the migration found, and drops what it made', async (t) => {
    const { app, read } = await begin(t)
    const more = entity({ ...V1.schema, note: { type: 'text', nullable: true } })
    const { migrations, fastify } = await app([more])
    await migrations.diff('more')
    await migrations.migrate()
    await fastify.close()
    t.match(await read(more), [{ title: 'one', note: null }, { title: 'two' }])
    const back = await app([more])
    t.match(await back.migrations.rollback(2), [{ names: [/_more$/, /_baseline$/] }], 'nothing is lost: none is asked')
    await back.fastify.close()
    t.match(await read(V1), DEAR)
    const again = await app([more])
    await again.migrations.migrate()
    await again.fastify.close()
    t.match(await read(more), DEAR)
  })

  t.test('U2: a column that was found takes null again, and keeps its values', async (t) => {
    const loose = entity({ ...V1.schema, note: { type: 'text', nullable: true } })
    const strict = entity({ ...V1.schema, note: { type: 'text' } })
    const { app, read } = await begin(
      t,
      loose,
      DEAR.map((row) => ({ ...row, note: 'kept' }))
    )
    const first = await app([V1])
    await first.migrations.diff('first')
    await first.migrations.migrate()
    const { migrations } = await app([strict])
    t.strictSame((await migrations.diff('note'))?.steps, ['add Article.note (text)'])
    await migrations.migrate()
    t.match(await read(strict), [{ note: 'kept' }, { note: 'kept' }])
    await (await app([strict])).migrations.rollback(1)
    const opened = await app([loose], { opened: true, mode: 'production' })
    await opened.orm.repository('Article').create({ title: 'three', stars: '1' })
    t.match(await opened.orm.repository('Article').find({ note: 'kept' }), [{}, {}])
  })

  t.test('U2: a rollback that deletes rows or values says how many, and asks', async (t) => {
    const { app } = project(t, await newUrl())
    const first = await app([V1])
    await first.migrations.diff('first')
    await first.migrations.migrate()
    await first.fastify.close()
    const more = entity({ ...V1.schema, note: { type: 'text', nullable: true } })
    const second = await app([more])
    await second.migrations.diff('more')
    await second.migrations.migrate()
    await second.fastify.close()
    const { orm, migrations } = await app([more], { opened: true })
    await orm.repository('Article').create({ title: 'a', stars: '1', note: 'x' })
    await orm.repository('Article').create({ title: 'b', stars: '1' })

    const [refused] = await problemsOf(migrations.rollback(2))
    t.match(refused, {
      code: 'SVC_ORM_MIGRATION_LOSS',
      message: 'the rollback deletes 1 value of Article.note, 2 rows of Article; nothing was done'
    })
    t.equal(await orm.repository('Article').count(), 2)
    const asked: unknown[] = []
    const confirm = (answer: boolean) => async (losses: readonly unknown[]) => {
      asked.push(losses)
      return answer
    }
    t.match(await problemsOf(migrations.rollback(1, { confirm: confirm(false) })), [{ code: 'SVC_ORM_MIGRATION_LOSS' }])
    t.match(asked, [[{ connector: 'default', entity: 'Article', column: 'note', rows: 1 }]])
    t.equal(await orm.repository('Article').count({ note: 'x' }), 1)
    t.match(await migrations.rollback(2, { confirm: confirm(true) }), [{ names: [/_more$/, /_first$/] }])
  })

  t.test('U2: work of its own cannot be counted, and is asked for as well', async (t) => {
    const { app, folder } = project(t, await newUrl())
    const { migrations } = await app([V1])
    await migrations.diff('first')
    const source = `export default { async up() {}, async down(m) { m.native() } }`
    writeFileSync(join(folder, '99990101000000_own.ts'), source)
    await migrations.migrate()
    const [problem] = await problemsOf(migrations.rollback(1))
    t.match(problem, { code: 'SVC_ORM_MIGRATION_LOSS', message: /an uncounted number of rows of 99990101000000_own/ })
    t.match(await migrations.rollback(1, { confirm: () => true }), [{ names: [/_own$/] }])
  })

  t.test('M9: a name before that stands beside the new one is refused, and an unknown one warned of', async (t) => {
    const { app, read, files } = await begin(t)
    const { migrations } = await app([V1])
    await migrations.diff('first')
    await migrations.migrate()
    const taken = await app([entity({ title: { type: 'string', unique: true, was: 'stars' } })])
    const [problem] = await problemsOf(taken.migrations.diff('taken'))
    t.match(problem, { code: 'SVC_ORM_MIGRATION_WAS', message: /^Article\.title was stars, and both exist/ })
    t.match(await taken.migrations.status(), [{ problems: [{ code: 'SVC_ORM_MIGRATION_WAS' }] }])
    t.equal(files().length, 1)
    const misspelt = await app([
      entity({ head: { type: 'string', unique: true, was: 'titel' }, stars: { type: 'string' } })
    ])
    const written = await misspelt.migrations.diff('misspelt', { dryRun: true })
    t.match(written?.warnings, [{ code: 'SVC_ORM_MIGRATION_WAS', fix: 'did you mean title?' }])
    t.match(await read(V1), DEAR)
  })

  t.test('M9: beside a database without a migration it is the same', async (t) => {
    const { app, files, execute } = await begin(t)
    await execute(`alter table article add column legacy text`)
    const misspelt = await app([entity({ ...V1.schema, head: { type: 'string', was: 'legaci', nullable: true } })])
    const written = await misspelt.migrations.diff('misspelt', { dryRun: true })
    t.match(written?.warnings, [{ code: 'SVC_ORM_MIGRATION_WAS', fix: 'did you mean legacy?' }])
    t.strictSame(written?.steps, ['add Article.head (text, may be null)'], 'what is no field is left alone')
    const taken = await app([entity({ title: { type: 'string', was: 'stars' } })])
    t.match(await problemsOf(taken.migrations.diff('taken')), [{ code: 'SVC_ORM_MIGRATION_WAS' }])
    t.throws(files, 'nothing was written')
  })

  t.test('a database that cannot be reached: the first migration is not written', async (t) => {
    const { app } = project(t, 'postgres://127.0.0.1:1/none')
    const { migrations } = await app([V1])
    t.match(await problemsOf(migrations.diff('first')), [{ code: 'SVC_ORM_MIGRATION_BASELINE', message: /reached/ }])
  })
}

t.test('SQLite', async (t) => firstMigrationTests(t, async () => undefined))
await onPostgres(async (t, server) => firstMigrationTests(t, () => server.createDatabase()))
