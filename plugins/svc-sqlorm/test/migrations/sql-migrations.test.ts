/** What migrations do to tables and rows that stand, on both engines. */
import { type Kysely, type QueryResult, sql } from 'kysely'
import type { BootError } from 'svc-kernel'
import type { MigrationContext } from 'svc-orm'
import type { LoadedMigration, MigrationRun } from 'svc-orm/driver'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { unopenedDatabase } from '../support/open-connector.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Work = (m: MigrationContext) => Promise<void>

function migration(name: string, up: Work, down: Work | null = null): LoadedMigration {
  return { name, checksum: `sum of ${name}`, up, down }
}

function setting(url: string) {
  const { connection, database } = unopenedDatabase(url)
  const run = (migrations: readonly LoadedMigration[], given: Partial<MigrationRun> = {}) =>
    database.migrations.run({ migrations, direction: 'up', steps: Infinity, check: () => undefined, ...given })
  return { db: connection.native as Kysely<unknown>, database, run, close: () => connection.close() }
}

const ID = { name: 'id', type: 'id' } as const
const TITLE = { name: 'title', type: 'text' } as const
const STARS = { name: 'stars', type: 'text', nullable: true } as const

/** SQLite answers objects without a prototype. */
function plain({ rows }: QueryResult<unknown>): unknown[] {
  return rows.map((row) => ({ ...(row as object) }))
}

async function failure(work: Promise<unknown>) {
  const [problem] = await work.then(
    () => [],
    (error) => (error as BootError).problems
  )
  return problem
}

function migrationTests(t: Test, newUrl: (t: Test) => Promise<string>): void {
  const begin = async (t: Test) => {
    const given = setting(await newUrl(t))
    t.teardown(given.close)
    const rows = async (what = '*', order = 'id') =>
      plain(await sql.raw(`select ${what} from article order by ${order}`).execute(given.db))
    const insert = (values: string) => sql.raw(`insert into article ${values}`).execute(given.db)
    await given.run([
      migration('1', (m) =>
        m.createTable('Article', { columns: [ID, TITLE, STARS], indexes: [{ columns: ['title'], unique: true }] })
      )
    ])
    await insert(`(id, title, stars) values ('a', 'one', '5'), ('b', 'two', null)`)
    return { ...given, rows, insert }
  }
  const first = migration('1', async () => undefined)

  t.test('what ran is noted with the checksum of its file, and does not run again', async (t) => {
    const { run, database } = await begin(t)
    t.match(await database.migrations.executed(), [{ name: '1', checksum: 'sum of 1' }])
    t.strictSame(await run([first]), [])
    let runs = 0
    const second = migration('2', async () => {
      runs += 1
    })
    t.strictSame(await run([first, second]), ['2'])
    t.strictSame(await run([first, second]), [])
    t.equal(runs, 1)
  })

  t.test('a column is renamed, retyped, filled, made required and dropped, and its rows stay', async (t) => {
    const { run, rows, insert } = await begin(t)
    const up: Work = async (m) => {
      await m.dropIndex('Article', { columns: ['title'], unique: true })
      await m.renameColumn('Article', 'title', 'head')
      await m.addIndex('Article', { columns: ['head'], unique: true })
      await m.changeColumn('Article', STARS, { name: 'stars', type: 'integer' }, { fill: 0 })
      await m.addColumn('Article', { name: 'live', type: 'boolean', default: true })
      await m.addColumn('Article', { name: 'sku', type: 'text' }, { fill: 'none' })
      await m.addColumn('Article', { name: 'at', type: 'date', nullable: true })
    }
    const down: Work = async (m) => {
      await m.dropColumn('Article', 'at')
      await m.dropColumn('Article', 'sku')
      await m.dropColumn('Article', 'live')
      await m.changeColumn('Article', { name: 'stars', type: 'integer' }, STARS)
      await m.dropIndex('Article', { columns: ['head'], unique: true })
      await m.renameColumn('Article', 'head', 'title')
      await m.addIndex('Article', { columns: ['title'], unique: true })
    }
    const second = migration('2', up, down)
    await run([first, second])
    const facts = 'id, head, stars, sku, case when live then 1 else 0 end as live, at'
    t.match(await rows(facts), [
      { id: 'a', head: 'one', stars: 5, sku: 'none', live: 1, at: null },
      { id: 'b', head: 'two', stars: 0, sku: 'none', live: 1, at: null }
    ])
    await t.rejects(insert(`(id, head, stars, sku) values ('c', 'one', 1, 'x')`), 'the unique index stands')
    await t.rejects(insert(`(id, head, stars) values ('c', 'new', 1)`), 'the new column is required')
    await t.rejects(insert(`(id, head, stars, sku) values ('c', 'new', 9007199254740993, 'x')`), 'as an entity has it')
    t.strictSame(await run([first, second], { direction: 'down', steps: 1 }), ['2'])
    t.strictSame(await rows(), [
      { id: 'a', title: 'one', stars: '5' },
      { id: 'b', title: 'two', stars: '0' }
    ])
    await t.rejects(insert(`(id, title) values ('c', 'one')`), 'and the index of before')
    t.strictSame(await run([first, second]), ['2'], 'it runs again')
  })

  t.test('M1: a conversion to null leaves nothing of the value, also where the column stays', async (t) => {
    const { run, rows } = await begin(t)
    const convert = () => null
    const day = { ...STARS, holds: 'day' } as const
    await run([first, migration('2', (m) => m.changeColumn('Article', STARS, day, { convert }))])
    t.strictSame(await rows('stars'), [{ stars: null }, { stars: null }])
  })

  t.test(
    'M1: text that is spelt otherwise from now on is written, and what would be the same twice stops it',
    async (t) => {
      const { run, rows, db } = await begin(t)
      const capitals = 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'
      await sql`update article set title = ${capitals} where id = 'a'`.execute(db)
      const work: Work = (m) => m.changeColumn('Article', TITLE, { ...TITLE, holds: 'uuid' })
      const only = { code: 'SVC_ORM_MIGRATION_DATA', message: /^1 value of article\.title cannot become uuid: row b$/ }
      t.match(await failure(run([first, migration('2', work)])), only)
      t.strictSame(await rows('title'), [{ title: capitals }, { title: 'two' }], 'nothing was changed')

      await sql`update article set title = ${capitals.toLowerCase()} where id = 'b'`.execute(db)
      t.match(await failure(run([first, migration('2', work)])), { code: 'SVC_ORM_MIGRATION_FAILED' })
      t.match(await rows('title'), [{ title: capitals }, {}], 'nothing was changed')

      await sql`delete from article where id = 'b'`.execute(db)
      await run([first, migration('2', work)])
      t.strictSame(await rows('title'), [{ title: capitals.toLowerCase() }])
    }
  )

  t.test('M1: a reference holds ids of this database', async (t) => {
    const { run } = await begin(t)
    const work: Work = (m) => m.changeColumn('Article', TITLE, { name: 'title', type: 'id' })
    const expected = { code: 'SVC_ORM_MIGRATION_DATA', message: /^2 values of article\.title cannot become id/ }
    t.match(await failure(run([first, migration('2', work)])), expected)
  })

  t.test('a step that stands already is left alone', async (t) => {
    const { run, rows, db } = await begin(t)
    await sql`alter table article add column extra text`.execute(db)
    const twice: Work = async (m) => {
      await m.createTable('Article', { columns: [ID, TITLE, STARS], indexes: [{ columns: ['title'], unique: true }] })
      await m.addColumn('Article', { name: 'extra', type: 'text', nullable: true })
      await m.renameColumn('Article', 'stars', 'points')
      await m.renameColumn('Article', 'stars', 'points')
      await m.dropColumn('Article', 'gone')
      await m.dropTable('Gone')
      await m.renameTable('Article', 'Story')
      await m.renameTable('Article', 'Story')
      await m.renameTable('Story', 'Article')
    }
    await run([first, migration('2', twice)])
    t.match(await rows(), [{ id: 'a', points: '5' }, { id: 'b' }])
  })

  t.test('nothing of a run is kept where one of its steps fails', async (t) => {
    const { run, rows, database } = await begin(t)
    const good = migration('2', (m) => m.addColumn('Article', { name: 'sku', type: 'text' }, { fill: 'x' }))
    const cases: readonly [Work, string, RegExp][] = [
      [(m) => m.addColumn('Article', { name: 'n', type: 'integer' }), 'SVC_ORM_MIGRATION_DATA', /^2 rows of article/],
      [(m) => m.changeColumn('Article', STARS, { ...STARS, nullable: false }), 'SVC_ORM_MIGRATION_DATA', /^1 rows/],
      [
        (m) => m.changeColumn('Article', TITLE, { name: 'title', type: 'integer' }),
        'SVC_ORM_MIGRATION_DATA',
        /^2 values of article\.title cannot become integer: rows a, b$/
      ],
      [(m) => m.renameColumn('Article', 'none', 'some'), 'SVC_ORM_MIGRATION_STATE', /no column none/],
      [(m) => m.addColumn('Article', { ...STARS, type: 'integer' }), 'SVC_ORM_MIGRATION_STATE', /stands as text/],
      [(m) => m.renameTable('Nothing', 'Something'), 'SVC_ORM_MIGRATION_STATE', /no table nothing/],
      [
        async (m) => {
          await m.changeColumn('Article', TITLE, TITLE, {})
          await m.eachRow('Article', [TITLE], () => ({ title: 'the same' }))
        },
        'SVC_ORM_MIGRATION_FAILED',
        /^3 failed: eachRow Article: .*unique.*nothing of this run was kept$/
      ],
      [() => Promise.reject(new Error('mine')), 'SVC_ORM_MIGRATION_FAILED', /^3 failed: its beginning: mine;/]
    ]
    for (const [work, code, message] of cases) {
      const index: Work = async (m) => {
        await work(m)
        await m.addColumn('Article', { name: 'late', type: 'text', nullable: true })
      }
      t.match(await failure(run([first, good, migration('3', index)])), { code, message })
    }
    t.strictSame(Object.keys((await rows())[0] as object), ['id', 'title', 'stars'])
    t.equal((await database.migrations.executed()).length, 1)
  })

  t.test('rows in batches, steps of its own, and Kysely itself', async (t) => {
    const { run, rows, insert } = await begin(t)
    await insert(`(id, title) values ${Array.from({ length: 2500 }, (_, n) => `('n${10_000 + n}', 't${n}')`).join()}`)
    const slug = { name: 'slug', type: 'text', nullable: true } as const
    const seen: string[] = []
    const work: Work = async (m) => {
      await m.step('a statement', async () => {
        await sql`alter table article add column slug text`.execute(m.native<Kysely<unknown>>())
      })
      await m.eachRow('Article', [TITLE, slug], ({ title, id }) => (id === 'a' ? null : { slug: `/${title}` }))
    }
    await run([first, migration('2', work)], { progress: (text) => seen.push(text) })
    t.strictSame(await rows('count(*) as n, count(slug) as s, count(distinct slug) as d', '1'), [
      { n: 2502, s: 2501, d: 2501 }
    ])
    t.strictSame(seen, ['article: 1000 rows', 'article: 2000 rows', 'article: 2502 rows'])
  })

  t.test('a preview shows every statement, and keeps nothing', async (t) => {
    const { run, rows, database } = await begin(t)
    const seen: string[] = []
    const work: Work = async (m) => {
      await m.addColumn('Article', { name: 'sku', type: 'text' }, { fill: 'x' })
      await m.changeColumn('Article', STARS, { ...STARS, type: 'float' })
    }
    t.strictSame(await run([first, migration('2', work)], { preview: (text) => seen.push(text) }), ['2'])
    t.match(seen[0], /^alter table "article" add column "sku" text/)
    t.ok(seen.some((text) => text.startsWith('update "article" set "sku"')))
    t.ok(seen.every((text) => !text.includes('svc_migration')))
    t.strictSame(Object.keys((await rows())[0] as object), ['id', 'title', 'stars'])
    t.equal((await database.migrations.executed()).length, 1)
  })

  t.test('a preview of what fails says what has failed', async (t) => {
    const { run } = await begin(t)
    const work: Work = (m) =>
      m
        .native<Kysely<unknown>>()
        .deleteFrom('nothing' as never)
        .execute()
        .then(() => undefined)
    const preview = run([first, migration('2', work)], { preview: () => undefined })
    await t.rejects(preview, {
      problems: [{ code: 'SVC_ORM_MIGRATION_FAILED', message: /^2 failed: its beginning/ }]
    } as never)
  })

  t.test('of many that begin at once one runs it, and the others wait', async (t) => {
    const url = await newUrl(t)
    const others = Array.from({ length: 6 }, () => setting(url))
    t.teardown(() => Promise.all(others.map(({ close }) => close())))
    let runs = 0
    const work: Work = async (m) => {
      runs += 1
      await m.createTable('Article', { columns: [ID, TITLE] })
    }
    const ran = await Promise.all(others.map(({ run }) => run([migration('1', work)])))
    t.strictSame(ran.filter(({ length }) => length === 1).length, 1)
    t.equal(runs, 1)
  })

  t.test('all the way back', async (t) => {
    const { run, database } = await begin(t)
    const gone = migration(
      '1',
      async () => undefined,
      (m) => m.dropTable('Article')
    )
    t.strictSame(await run([gone], { direction: 'down', steps: 3 }), ['1'])
    t.strictSame(await run([gone], { direction: 'down', steps: 1 }), [])
    t.strictSame(await database.migrations.executed(), [])
  })
}

t.test('SQLite', async (t) => {
  migrationTests(t, async (t) => `sqlite:${temporaryFolder(t)}/app.db`)

  t.test('a table that is rebuilt keeps what others wrote: foreign keys, triggers, views, other columns', async (t) => {
    const { db, run, close } = setting(`sqlite:${temporaryFolder(t)}/app.db`)
    t.teardown(close)
    for (const text of [
      `create table article (id text primary key, stars integer check (stars > 0), "odd, (name)" text default 'a, (b' ) strict`,
      `create table note (id text primary key, article text references article (id) on delete cascade)`,
      `create index odd_index on article ("odd, (name)") where stars > 3`,
      `create table log (n integer)`,
      `create trigger noted after insert on article begin insert into log values (new.stars); end`,
      `create view best as select id from article where stars > 3`,
      `insert into article (id, stars) values ('a', 5)`,
      `insert into note values ('n', 'a')`
    ]) {
      await sql.raw(text).execute(db)
    }
    const work: Work = async (m) => {
      await m.changeColumn(
        'Article',
        { name: 'stars', type: 'integer', nullable: true },
        { name: 'stars', type: 'integer' }
      )
      await m.addColumn('Article', { name: 'sku', type: 'text' }, { fill: 'x' })
    }
    await run([migration('1', work)])
    const all = async (text: string) => plain(await sql.raw(text).execute(db))
    t.strictSame(await all('select * from article'), [{ id: 'a', stars: 5, 'odd, (name)': 'a, (b', sku: 'x' }])
    t.strictSame(await all('select * from note'), [{ id: 'n', article: 'a' }], 'nothing was deleted along')
    t.strictSame(await all('select id from best'), [{ id: 'a' }])
    await sql.raw(`insert into article (id, stars, sku) values ('b', 7, 'y')`).execute(db)
    t.strictSame(await all('select n from log order by n'), [{ n: 5 }, { n: 7 }])
    await t.rejects(sql.raw(`insert into note values ('m', 'nobody')`).execute(db), 'foreign keys are looked at again')
    t.strictSame(await all(`select name from sqlite_master where name = 'odd_index'`), [{ name: 'odd_index' }])
    const leaving = migration('2', (m) =>
      m.step('own', async () => {
        await sql`delete from article where id = 'a'`.execute(m.native<Kysely<unknown>>())
      })
    )
    t.match(await failure(run([migration('1', work), leaving])), {
      message: /rows of note refer to rows that do not exist/
    })
    t.equal((await all('select 1 from article')).length, 2)
  })
})

await onPostgres(async (t, server) => migrationTests(t, () => server.createDatabase()))
