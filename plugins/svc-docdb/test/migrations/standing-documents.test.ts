/** Documents that stand before the first migration: how they are described, taken over and left, and what a way back counts. */
import mongoose from 'mongoose'
import { type BootError, systemClock } from 'svc-kernel'
import type { MigrationContext } from 'svc-orm'
import type { LoadedMigration, Loss, MigrationRun } from 'svc-orm/driver'
import type { TablePlan } from 'svc-stores/table'
import t from 'tap'
import { documents } from '../support/documents.ts'
import { migrationTo } from '../support/migration-database.ts'

type Work = (m: MigrationContext) => Promise<void>

const { uri } = await documents(t)
const client = new mongoose.mongo.MongoClient(uri)
t.teardown(() => client.close())
const db = client.db()
const { connection, database } = migrationTo(uri, systemClock)
t.teardown(() => connection.close())

const ID = { name: 'id', type: 'id' } as const
const HEAD = { name: 'head', type: 'text', was: 'title' } as const
const UNIQUE = { columns: ['head'], unique: true } as const

const migration = (name: string, up: Work, down: Work | null = null): LoadedMigration => {
  return { name, checksum: `sum of ${name}`, up, down }
}

const run = (migrations: readonly LoadedMigration[], given: Partial<MigrationRun> = {}) =>
  database.migrations.run({ migrations, direction: 'up', steps: Infinity, check: () => undefined, ...given })

async function lossesOf(migrations: readonly LoadedMigration[], steps: number): Promise<readonly Loss[]> {
  const losses: Loss[] = []
  const losing = (loss: Loss) => void losses.push(loss)
  await run(migrations, { direction: 'down', steps, preview: () => undefined, losing })
  return losses
}

async function failure(work: Promise<unknown>) {
  const [problem] = await work.then(
    () => [],
    (error) => (error as BootError).problems
  )
  return problem
}

const all = (name: string) =>
  db
    .collection(name)
    .find({}, { projection: { _id: 0 } })
    .sort({ n: 1 })
    .toArray()

t.beforeEach(async () => {
  for (const name of ['Article', 'Story', 'svc_migration']) {
    await db
      .collection(name)
      .drop()
      .catch(() => undefined)
  }
  await db.collection('Article').insertMany([
    { n: 1, title: 'one', stars: '5', old: true },
    { n: 2, title: 'two', stars: '7' },
    { n: 3, title: 'three' }
  ])
  await db.collection('Article').createIndex({ title: 1 }, { name: 'unique_title', unique: true })
})

t.test('a collection is described by what its documents hold', async (t) => {
  const plan: TablePlan = {
    name: 'story',
    collection: 'Story',
    was: { name: 'article', collection: 'Article' },
    columns: [
      ID,
      HEAD,
      { name: 'n', type: 'integer' },
      { name: 'stars', type: 'integer' },
      { name: 'note', type: 'text', nullable: true },
      { name: 'need', type: 'text' }
    ],
    indexes: [UNIQUE, { columns: ['n'], on: 'documents' }, { columns: ['n', 'id'], on: 'sql' }]
  }
  const [found, ...others] = await database.schema.standing([plan])
  t.strictSame(others, [])
  t.equal(found?.former, true)
  t.strictSame(found?.columns, [
    ID,
    { name: 'title', type: 'text' },
    { name: 'n', type: 'integer' },
    { name: 'stars', type: 'text', nullable: true },
    { name: 'note', type: 'text', nullable: true }
  ])
  t.strictSame(
    found?.indexes.map(({ columns }) => columns),
    [['title'], ['n', 'id']]
  )
  t.strictSame(found?.others, ['old'])
  t.strictSame(found?.doubts, { stars: ['text'] })
  t.strictSame(await database.schema.standing([{ name: 'none', columns: [ID] }]), [])
})

const SHAPE = { was: 'Article', columns: [ID, HEAD, { name: 'n', type: 'integer' }], indexes: [UNIQUE] } as const

t.test('U1: a collection under the name before is taken over, and left as it was', async (t) => {
  const first = migration(
    '1',
    (m) => m.createTable('Story', SHAPE),
    (m) => m.dropTable('Story')
  )
  await run([first])
  t.match(await all('Story'), [{ head: 'one', stars: '5' }, { head: 'two' }, { head: 'three' }])
  t.strictSame(await all('Article'), [])
  await t.rejects(db.collection('Story').insertOne({ head: 'one' }), 'the unique index is there')
  t.strictSame(await lossesOf([first], 1), [])
  await run([first], { direction: 'down', steps: 1 })
  t.match(await all('Article'), [{ title: 'one', stars: '5', old: true }, { title: 'two' }, { title: 'three' }])
  t.strictSame(await all('Story'), [])
  await run([first])
  t.match(await all('Story'), [{ head: 'one' }, { head: 'two' }, { head: 'three' }])
})

t.test('U1: documents of another type stop it before anything is renamed', async (t) => {
  const shape = { ...SHAPE, columns: [...SHAPE.columns, { name: 'stars', type: 'integer', nullable: true }] } as const
  const problem = await failure(run([migration('1', (m) => m.createTable('Story', shape))]))
  t.match(problem, { code: 'SVC_ORM_MIGRATION_STATE', message: /Article\.stars has another type than integer/ })
  t.match(await all('Article'), [{ title: 'one' }, { title: 'two' }, { title: 'three' }])
})

t.test('U1: a field under the name before is taken over, and left as it was', async (t) => {
  const first = migration(
    '1',
    (m) => m.addColumn('Article', HEAD),
    (m) => m.dropColumn('Article', 'head')
  )
  await run([first])
  t.match(await all('Article'), [{ head: 'one', title: undefined }, {}, {}])
  t.strictSame(await lossesOf([first], 1), [])
  await run([first], { direction: 'down', steps: 1 })
  t.match(await all('Article'), [{ title: 'one', head: undefined }, {}, {}])
})

t.test('M9: where a document holds both names, neither is taken for the other', async (t) => {
  await db.collection('Article').updateOne({ n: 2 }, { $set: { head: 'other' } })
  const plan: TablePlan = { name: 'article', collection: 'Article', columns: [ID, HEAD] }
  const [found] = await database.schema.standing([plan])
  t.strictSame(
    found?.columns.map(({ name }) => name),
    ['id', 'head', 'title']
  )
  const adding = migration('1', (m) => m.addColumn('Article', HEAD))
  t.match(await failure(run([adding])), { code: 'SVC_ORM_MIGRATION_STATE', message: /hold head beside title/ })
  t.match(await all('Article'), [{ title: 'one' }, { title: 'two', head: 'other' }, { title: 'three' }])
})

t.test('U2: what a way back deletes is counted, under the names of then', async (t) => {
  const first = migration(
    '1',
    (m) => m.addColumn('Article', { name: 'more', type: 'text', default: 'x' }),
    async (m) => {
      await m.dropColumn('Article', 'more')
      await m.dropTable('Article')
    }
  )
  const second = migration(
    '2',
    async (m) => {
      await m.renameTable('Article', 'Story')
      await m.renameColumn('Story', 'more', 'less')
    },
    async (m) => {
      await m.renameColumn('Story', 'less', 'more')
      await m.renameTable('Story', 'Article')
    }
  )
  const own = migration(
    '3',
    async () => undefined,
    async (m) => {
      await m.native<typeof db>().collection('Story').deleteMany({})
    }
  )
  await run([first, second, own])
  t.strictSame(await lossesOf([first, second, own], 3), [
    { entity: '3', column: null, rows: null },
    { entity: 'Article', column: 'more', rows: 3 },
    { entity: 'Article', column: null, rows: 3 }
  ])
  t.equal((await all('Story')).length, 3, 'nothing was done')
})

t.test('M11: deleted documents are removed, restored, or refused', async (t) => {
  await db.collection('Article').updateOne({ n: 1 }, { $set: { deletedAt: new Date() } })
  const dropping = (deleted: 'remove' | 'restore' | undefined) =>
    migration('1', (m) => m.dropColumn('Article', 'deletedAt', { deleted }))
  t.match(await failure(run([dropping(undefined)])), {
    code: 'SVC_ORM_MIGRATION_DATA',
    message: /^1 row of Article is deleted, and would come back without deletedAt/
  })
  t.equal(await database.migrations.count('Article', 'deletedAt'), 1)
  await run([dropping('remove')])
  t.match(await all('Article'), [{ n: 2 }, { n: 3 }])
})
