/** What migrations do to documents and indexes that stand; and that what is cut short goes on where it was. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import mongoose from 'mongoose'
import { type BootError, systemClock } from 'svc-kernel'
import type { MigrationContext } from 'svc-orm'
import type { LoadedMigration, MigrationRun } from 'svc-orm/driver'
import t from 'tap'
import { documents } from '../support/documents.ts'
import { migrationTo } from '../support/migration-database.ts'

type Work = (m: MigrationContext) => Promise<void>

const { uri } = await documents(t)
const client = new mongoose.mongo.MongoClient(uri)
t.teardown(() => client.close())
const db = client.db()
const articles = db.collection('Article')
const records = db.collection('svc_migration')
const { connection, database } = migrationTo(uri, systemClock)
t.teardown(() => connection.close())

const _id = (n: number) => new mongoose.mongo.ObjectId(n.toString(16).padStart(24, '0'))
const TITLE = { name: 'title', type: 'text' } as const
const STARS = { name: 'stars', type: 'text', nullable: true } as const

function migration(name: string, up: Work, down: Work | null = null): LoadedMigration {
  return { name, checksum: `sum of ${name}`, up, down }
}

const run = (migrations: readonly LoadedMigration[], given: Partial<MigrationRun> = {}) =>
  database.migrations.run({ migrations, direction: 'up', steps: Infinity, check: () => undefined, ...given })

async function failure(work: Promise<unknown>) {
  const [problem] = await work.then(
    () => [],
    (error) => (error as BootError).problems
  )
  return problem
}

t.beforeEach(async () => {
  await articles.drop().catch(() => undefined)
  await db
    .collection('Story')
    .drop()
    .catch(() => undefined)
  await records.deleteMany({})
  await articles.insertMany([
    { _id: _id(1), title: 'one', stars: '5', old: 1 },
    { _id: _id(2), title: 'two' }
  ])
})

const all = () =>
  articles
    .find({}, { projection: { _id: 0 } })
    .sort({ _id: 1 })
    .toArray()

t.test('a field is renamed, retyped, filled and dropped, and comes back', async (t) => {
  const unique = { columns: ['title'], unique: true }
  const first = migration('1', (m) => m.createTable('Article', { columns: [TITLE, STARS], indexes: [unique] }))
  const second = migration(
    '2',
    async (m) => {
      await m.dropIndex('Article', unique)
      await m.renameColumn('Article', 'title', 'head')
      await m.changeColumn('Article', STARS, { name: 'stars', type: 'integer' }, { fill: 0 })
      await m.addColumn('Article', { name: 'live', type: 'boolean', default: true })
      await m.addColumn('Article', { name: 'at', type: 'date' }, { fill: '2026-01-01T00:00:00Z' })
      await m.dropColumn('Article', 'old')
      await m.addIndex('Article', { columns: ['head'], unique: true })
    },
    async (m) => {
      await m.dropIndex('Article', { columns: ['head'], unique: true })
      await m.dropColumn('Article', 'at')
      await m.dropColumn('Article', 'live')
      await m.changeColumn('Article', { name: 'stars', type: 'integer' }, STARS)
      await m.renameColumn('Article', 'head', 'title')
      await m.addIndex('Article', unique)
    }
  )
  t.strictSame(await run([first, second]), ['1', '2'])
  const at = new Date('2026-01-01T00:00:00Z')
  t.strictSame(
    await all(),
    [
      { head: 'one', stars: 5, live: true, at },
      { head: 'two', stars: 0, live: true, at }
    ],
    'every value'
  )
  await t.rejects(articles.insertOne({ head: 'one' }), { code: 11_000 })
  t.strictSame(await run([first, second]), [])
  t.match(await database.migrations.executed(), [{ name: '1' }, { name: '2', checksum: 'sum of 2' }])
  t.strictSame(await run([first, second], { direction: 'down', steps: 1 }), ['2'])
  t.strictSame(await all(), [
    { stars: '5', title: 'one' },
    { stars: '0', title: 'two' }
  ])
  t.strictSame(
    (await articles.indexes()).map(({ name }) => name),
    ['_id_', 'unique_title']
  )
  t.strictSame(await records.countDocuments({}), 1, 'the lease is given back')
})

t.test('a collection is renamed, with its documents', async (t) => {
  await run([migration('1', (m) => m.renameTable('Article', 'Story'))])
  t.equal(await db.collection('Story').countDocuments({}), 2)
  t.strictSame(await db.listCollections({ name: 'Article' }).toArray(), [])
  await articles.insertOne({ title: 'other' })
  const back = migration('2', (m) => m.renameTable('Story', 'Article'))
  t.match(await failure(run([migration('1', async () => undefined), back])), { code: 'SVC_ORM_MIGRATION_STATE' })
})

t.test('what is in the way is told, and nothing is made up', async (t) => {
  const cases: readonly [Work, string, RegExp][] = [
    [
      (m) => m.addColumn('Article', { name: 'n', type: 'integer' }),
      'SVC_ORM_MIGRATION_DATA',
      /^2 documents of Article/
    ],
    [(m) => m.changeColumn('Article', STARS, { ...STARS, nullable: false }), 'SVC_ORM_MIGRATION_DATA', /^1 documents/],
    [
      (m) => m.changeColumn('Article', TITLE, { name: 'title', type: 'integer' }),
      'SVC_ORM_MIGRATION_DATA',
      /^2 values of Article\.title cannot become integer: rows 0{23}1, 0{23}2$/
    ],
    [
      async (m) => {
        await m.eachRow('Article', [TITLE], () => ({ title: 'same' }))
        await m.addIndex('Article', { columns: ['title'], unique: true })
      },
      'SVC_ORM_MIGRATION_DATA',
      /hold the same title/
    ],
    [
      () => Promise.reject(new Error('mine')),
      'SVC_ORM_MIGRATION_FAILED',
      /^1 failed: its beginning: mine; the steps before/
    ]
  ]
  for (const [work, code, message] of cases) {
    await records.deleteMany({})
    t.match(await failure(run([migration('1', work)])), { code, message })
    t.match(await database.migrations.executed(), [{ name: '1', unfinished: true }])
  }
  t.strictSame((await all()).map(Object.keys), [['title', 'stars', 'old'], ['title']], 'no helper field is left')
})

t.test('M1: a conversion to null leaves nothing of the value', async (t) => {
  const convert = () => null
  await run([migration('1', (m) => m.changeColumn('Article', STARS, { ...STARS, type: 'integer' }, { convert }))])
  t.strictSame(await all(), [{ title: 'one', old: 1 }, { title: 'two' }])
})

t.test(
  'M1: text that is spelt otherwise from now on is written, and what would be the same twice stops it',
  async (t) => {
    const capitals = 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'
    const uuid = { ...TITLE, holds: 'uuid' } as const
    await articles.updateOne({ _id: _id(1) }, { $set: { title: capitals } })
    await articles.updateOne({ _id: _id(2) }, { $set: { title: capitals.toLowerCase() } })
    const work: Work = (m) => m.changeColumn('Article', TITLE, uuid)
    await articles.createIndex({ title: 1 }, { unique: true, name: 'one_title' })
    t.match(await failure(run([migration('1', work)])), {
      code: 'SVC_ORM_MIGRATION_DATA',
      message: /would get the same title/
    })
    await articles.dropIndex('one_title')
    await run([migration('1', work)])
    t.strictSame(
      (await all()).map(({ title }) => title),
      [capitals.toLowerCase(), capitals.toLowerCase()]
    )
    t.strictSame(await articles.countDocuments({ svc_next: { $exists: true } }), 0)
  }
)

t.test('M1: a reference holds ids of this database', async (t) => {
  const work: Work = (m) => m.changeColumn('Article', TITLE, { name: 'title', type: 'id' })
  t.match(await failure(run([migration('1', work)])), { code: 'SVC_ORM_MIGRATION_DATA', message: /cannot become id/ })
  await articles.updateMany({}, { $set: { title: '0123456789abcdef01234567' } })
  await run([migration('1', work)])
  t.match(await all(), [{ title: new mongoose.mongo.ObjectId('0123456789abcdef01234567') }, {}])
})

t.test('M1: what is in the way of a first batch is told after a run that was cut short, too', async (t) => {
  await articles.deleteMany({})
  const many = Array.from({ length: 1001 }, (_, n) => ({ _id: _id(n + 1), title: n === 0 ? 'x' : String(n) }))
  await articles.insertMany(many)
  let left = 1000
  const cut: Work = (m) =>
    m.changeColumn(
      'Article',
      TITLE,
      { name: 'title', type: 'integer' },
      {
        convert: (value) => {
          left -= 1
          if (left < 0) throw new Error('cut short')
          return value === 'x' ? undefined : Number(value)
        }
      }
    )
  t.match(await failure(run([migration('1', cut)])), { message: /cut short/ })
  left = Number.POSITIVE_INFINITY
  t.match(await failure(run([migration('1', cut)])), { code: 'SVC_ORM_MIGRATION_DATA', message: /row 0{23}1$/ })
  t.equal((await articles.findOne({ _id: _id(5) }))?.title, '4', 'and no value was changed')
})

t.test('a preview shows the steps, and does none', async (t) => {
  const seen: string[] = []
  const work: Work = async (m) => {
    await m.dropColumn('Article', 'stars')
    await m.step('mine', async () => {
      t.fail('it ran')
    })
  }
  t.strictSame(await run([migration('1', work)], { preview: (text) => seen.push(text) }), ['1'])
  t.strictSame(seen, ['dropColumn Article.stars', 'step mine'])
  t.match((await all())[0], { stars: '5' })
  t.strictSame(await database.migrations.executed(), [])
  const stray = migration('1', async (m) => void m.native())
  t.match(await failure(run([stray], { preview: () => undefined })), { code: 'SVC_ORM_MIGRATION_STATE' })
})

t.test('of many that begin at once one runs it, and the others wait', async (t) => {
  let runs = 0
  const work: Work = async (m) => {
    runs += 1
    await m.dropColumn('Article', 'old')
  }
  const ran = await Promise.all(Array.from({ length: 5 }, () => run([migration('1', work)])))
  t.equal(ran.filter(({ length }) => length === 1).length, 1)
  t.equal(runs, 1)
})

t.test('a process that is killed in the middle: the next one goes on where it was', async (t) => {
  await articles.deleteMany({})
  const many = Array.from({ length: 2500 }, (_, n) => ({ _id: _id(n), stars: String(n), old: n }))
  await articles.insertMany(many)
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../support/migrating-child.js', import.meta.url)), uri],
    {
      stdio: ['ignore', 'ignore', 'inherit']
    }
  )
  const [, signal] = await once(child, 'exit')
  t.equal(signal, 'SIGKILL')
  t.match(await database.migrations.executed(), [{ name: '1', unfinished: true }])
  t.match(await articles.findOne({ _id: _id(7) }), { stars: '7' }, 'the old values are still there')
  // A minute later, as it were: the lease of the dead one is over.
  await records.updateOne({ _id: 'lease' as never }, { $set: { until: new Date(0) } })

  const back = migration(
    '1',
    async () => undefined,
    async () => undefined
  )
  t.match(await failure(run([back], { direction: 'down', steps: 1 })), { message: /was interrupted on its way up/ })
  const other = migration('1', (m) => m.dropColumn('Article', 'title'))
  t.match(await failure(run([other])), { code: 'SVC_ORM_MIGRATION_STATE', message: /after other steps/ })

  let converted = 0
  const same = migration('1', async (m) => {
    await m.dropColumn('Article', 'old')
    const to = { name: 'stars', type: 'integer' } as const
    await m.changeColumn('Article', { name: 'stars', type: 'text' }, to, {
      convert: (value) => {
        converted += 1
        return Number(value) + 1
      }
    })
  })
  t.strictSame(await run([same]), ['1'])
  t.equal(converted, 1500, 'the batch that was written is not converted again')
  const stored = await articles.find({}).sort({ _id: 1 }).toArray()
  t.ok(
    stored.every((document, n) => document.stars === n + 1 && Object.keys(document).length === 2),
    'each value was converted once'
  )
  t.match(await database.migrations.executed(), [{ name: '1', checksum: 'sum of 1', unfinished: undefined }])
})
