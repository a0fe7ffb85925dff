/** From entities to files to a database, as the commands ask for it; and what is wrong with files. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineEntity } from 'svc-orm'
import t from 'tap'
import { problemsOf, project } from '../support/migrated-project.ts'

const V1 = defineEntity({ name: 'Thing', schema: { sku: { type: 'string', unique: true }, stars: { type: 'string' } } })
const V2 = defineEntity({
  name: 'Item',
  was: 'Thing',
  schema: {
    code: { type: 'string', unique: true, was: 'sku' },
    stars: { type: 'integer' },
    note: { type: 'text', nullable: true }
  }
})

t.test('an entity is renamed, with its fields; a boot that comes before the migration refuses', async (t) => {
  const { app, files } = project(t)
  const first = await app([V1])
  await first.migrations.diff('first')
  await first.migrations.migrate()
  await first.fastify.close()
  const before = await app([V1], { opened: true })
  await before.orm.repository('Thing').create({ sku: 'a', stars: '5' })
  await before.fastify.close()

  t.match(await problemsOf(app([V2], { opened: true })), [
    { code: 'SVC_ORM_RENAMED', message: /^item is still named thing/ }
  ])
  const { migrations, fastify } = await app([V2])
  const written = await migrations.diff('next')
  t.strictSame(written?.steps, [
    'drop unique index (sku) of Thing',
    'rename Thing to Item',
    'rename Item.sku to code',
    'add Item.note (text, may be null)',
    'change Item.stars from text to integer',
    'add unique index (code) of Item'
  ])
  t.equal(files().length, 2)
  t.equal(await migrations.diff('again'), null, 'the hints say nothing any more')
  t.match(await migrations.status(), [
    {
      migrations: [{ executedAt: Date }, { executedAt: null }],
      unwritten: [],
      problems: [{ code: 'SVC_ORM_RENAMED' }]
    }
  ])
  await migrations.migrate()
  await fastify.close()
  const after = await app([V2], { opened: true, mode: 'production' })
  t.match(await after.orm.repository('Item').find(), [{ code: 'a', stars: 5, note: null }])
  t.strictSame(
    after.log.lines.filter(({ level }) => level >= 40),
    []
  )
  await after.migrations.rollback(1)
  await after.fastify.close()
  const back = await app([V1], { opened: true })
  t.match(await back.orm.repository('Thing').find(), [{ sku: 'a', stars: '5' }])
})

t.test('a field that is renamed: no column is added beside it, and production waits for the migration', async (t) => {
  const { app } = project(t)
  const renamed = defineEntity({
    name: 'Thing',
    schema: { sku: { type: 'string', unique: true }, points: { type: 'string', was: 'stars' } }
  })
  const { fastify } = await app([V1], { opened: true })
  await fastify.orm.repository('Thing').create({ sku: 'a', stars: '5' })
  await fastify.close()
  t.match(await problemsOf(app([renamed], { opened: true, mode: 'production' })), [{ code: 'SVC_ORM_RENAMED' }])
  const { orm, log, fastify: lenient } = await app([renamed], { opened: true })
  t.strictSame(
    log.lines.filter(({ level }) => level >= 40).map(({ code }) => code),
    ['SVC_ORM_RENAMED']
  )
  await t.rejects(orm.repository('Thing').create({ sku: 'b', points: '1' }), { code: 'SVC_ORM_REQUIRED_COLUMN' })
  await lenient.close()
  const { migrations } = await app([V1])
  await migrations.diff('first')
  const next = await app([renamed])
  await next.migrations.diff('next')
  await next.migrations.migrate()
  await next.fastify.close()
  const after = await app([renamed], { opened: true, mode: 'production' })
  t.match(await after.orm.repository('Thing').find(), [{ points: '5' }])
})

t.test('at boot, where the option says so: before anything is added', async (t) => {
  const { app, folder } = project(t)
  await (await app([V1])).migrations.diff('first')
  const { log, fastify } = await app([V1], { opened: true, run: 'boot', mode: 'production' })
  t.ok(log.lines.some(({ msg }) => /^migrated \d+_first$/.test(msg)))
  t.notOk(log.lines.some(({ msg }) => /^created table thing\b/.test(msg)))
  await fastify.close()
  // One of the version before starts again, beside a newer one.
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  const older = await app([V1], { opened: true, run: 'boot', mode: 'production' })
  t.strictSame(
    older.log.lines.filter(({ level }) => level >= 40).map(({ code }) => code),
    ['SVC_ORM_MIGRATION_UNKNOWN']
  )
})

t.test('what ran and what is a file have to agree', async (t) => {
  const { app, folder, files } = project(t)
  const { migrations } = await app([V1])
  await migrations.diff('first')
  const [file = ''] = files()
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  await migrations.migrate()

  await t.test('the ends of lines may differ', async (t) => {
    writeFileSync(path, text.replaceAll('\n', '\r\n'))
    t.match(await migrations.migrate(), [{ names: [] }])
  })

  await t.test('a file that was edited', async (t) => {
    writeFileSync(path, `${text}// later\n`)
    for (const work of [() => migrations.migrate(), () => migrations.rollback(1)]) {
      const [problem] = await problemsOf(work())
      t.match(problem, { code: 'SVC_ORM_MIGRATION_EDITED', got: /checksum [0-9a-f]{64}$/, expected: /[0-9a-f]{64}/ })
    }
    t.match(await migrations.status(), [{ problems: [{ code: 'SVC_ORM_MIGRATION_EDITED' }] }])
    writeFileSync(path, text)
  })

  await t.test('one without a way back', async (t) => {
    const source = `import { defineMigration } from 'svc-orm'\nexport default defineMigration({ async up() {} })\n`
    writeFileSync(join(folder, '99990101000000_one_way.ts'), source)
    await migrations.migrate()
    t.match(await problemsOf(migrations.rollback(1)), [{ code: 'SVC_ORM_MIGRATION_NO_DOWN' }])
    t.match(await problemsOf(migrations.rollback(2)), [{ code: 'SVC_ORM_MIGRATION_NO_DOWN' }])
    t.match(await migrations.status(), [{ migrations: [{ executedAt: Date }, { executedAt: Date }] }])
  })

  await t.test('a database that is newer', async (t) => {
    rmSync(join(folder, '99990101000000_one_way.ts'))
    for (const work of [() => migrations.migrate(), () => migrations.rollback(1)]) {
      t.match(await problemsOf(work()), [{ code: 'SVC_ORM_MIGRATION_UNKNOWN', message: /one_way ran on it/ }])
    }
  })

  await t.test('no migration, no snapshot, no name', async (t) => {
    for (const [source, message] of [
      ['export default 5', /its default export is not a migration/],
      ['import "nothing-here"', /nothing-here/],
      ['const = 1', /cannot be loaded/]
    ] as const) {
      writeFileSync(join(folder, '99990101000000_broken.ts'), source)
      t.match(await problemsOf(migrations.migrate()), [{ code: 'SVC_ORM_MIGRATION_FILE', message }])
    }
    rmSync(join(folder, '99990101000000_broken.ts'))
    mkdirSync(join(folder, 'more'))
    writeFileSync(join(folder, 'snapshot.json'), '<<<<<<< ours')
    t.match(await problemsOf(migrations.diff('x')), [{ code: 'SVC_ORM_MIGRATION_SNAPSHOT' }])
    t.match(await problemsOf(migrations.diff(' - ')), [{ code: 'SVC_ORM_MIGRATION_NAME' }])
    t.match(await problemsOf(migrations.diff('x', { connector: 'other' })), [{ code: 'SVC_ORM_MIGRATION_NONE' }])
  })
})

t.test('a boot that comes before a migration warns of it, and keeps the warning; one after it does not', async (t) => {
  const { app, folder } = project(t)
  const more = defineEntity({ ...V1, indexes: [{ fields: ['stars'] }] })
  const first = await app([V1])
  await first.migrations.diff('first')
  await first.migrations.migrate()
  await (await app([more])).migrations.diff('index of stars')
  const early = await app([more], { opened: true })
  const [warning, ...others] = early.fastify.bootWarnings
  t.match(warning, { code: 'SVC_ORM_MIGRATION_PENDING', got: /index_of_stars$/, fix: 'npx svc orm:migrate' })
  t.strictSame(others, [])
  t.match(
    early.log.lines.find(({ code }) => code === 'SVC_ORM_MIGRATION_PENDING'),
    { level: 40 }
  )
  await early.fastify.close()

  const late = await app([more], { opened: true, run: 'boot' })
  t.strictSame(late.fastify.bootWarnings, [])
  writeFileSync(join(folder, '29990101000000_broken.ts'), 'throw new Error()')
  const broken = await app([more], { opened: true })
  t.match(broken.fastify.bootWarnings, [{ got: '29990101000000_broken' }], 'none is loaded to tell')
})

t.test('what differs is kept with the warnings of the boot', async (t) => {
  const { app } = project(t)
  await (await app([V1], { opened: true })).fastify.close()
  const looser = { ...V1, schema: { ...V1.schema, stars: { type: 'string', nullable: true } } } as const
  const { fastify } = await app([defineEntity(looser)], { opened: true })
  t.match(fastify.bootWarnings, [{ code: 'SVC_ORM_COLUMN_NULL', fix: /./ }])
})

t.test('M1: a snapshot of an earlier version is completed by the next diff, which writes nothing else', async (t) => {
  const { app, files, folder } = project(t)
  const text = defineEntity({ name: 'Thing', schema: { code: { type: 'string' } } })
  const first = await app([text])
  await first.migrations.diff('first')
  const path = join(folder, 'snapshot.json')
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/,\s*"holds": "string"/g, ''))
  t.equal(await first.migrations.diff('nothing', { dryRun: true }), null)
  t.notMatch(readFileSync(path, 'utf8'), 'holds', 'a dry run writes nothing')
  t.equal(await first.migrations.diff('nothing'), null)
  t.match(readFileSync(path, 'utf8'), '"holds": "string"')
  t.equal(files().length, 1)

  const uuids = await app([defineEntity({ name: 'Thing', schema: { code: { type: 'uuid' } } })])
  const written = await uuids.migrations.diff('uuids')
  t.strictSame(written?.steps, ['change Thing.code from text to uuid; each value is checked'])
})

t.test('M1: rows that take a default in capitals are found by it', async (t) => {
  const { app } = project(t)
  const capitals = 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'
  const before = await app([defineEntity({ name: 'Thing', schema: { n: { type: 'integer' } } })], { opened: true })
  await before.orm.repository('Thing').create({ n: 1 })
  await before.fastify.close()
  const Thing = defineEntity({
    name: 'Thing',
    schema: { n: { type: 'integer' }, key: { type: 'uuid', default: capitals } }
  })
  const after = await app([Thing], { opened: true })
  const things = after.orm.repository(Thing)
  t.match(await things.find({ key: capitals }), [{ n: 1, key: capitals.toLowerCase() }])
})
