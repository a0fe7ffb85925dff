/**
 * What finds read of 100 000 articles through indexes of some rows, of folded text, of parts of text and of items of lists,
 * counted on both engines: 1 000 are present, the others deleted; one of a hundred of these is open.
 */
import { CompiledQuery, type Kysely } from 'kysely'
import { defineEntity, type Repository } from 'svc-orm'
import t, { type Test } from 'tap'
import { type EntriesRead, queriesOf, readOnPostgres, readOnSqlite } from '../support/entries-read.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

t.setTimeout(300_000)

const ARTICLES = 100_000
const PRESENT = 1000
/** With the entries of the words that each title has. */
const FEW = ARTICLES / 20

const ARTICLE = defineEntity({
  name: 'Article',
  schema: {
    slug: { type: 'string', unique: 'present' },
    state: { type: 'string' },
    rank: { type: 'integer' },
    title: { type: 'string' },
    tags: { type: 'string', array: true }
  },
  indexes: [
    { fields: ['rank'], where: { state: 'open', rank: { $gte: 0 } } },
    { fields: ['state'], where: { deletedAt: null } },
    { fields: [{ field: 'title', fold: true }] },
    { fields: ['title'], method: 'trigram' },
    { fields: ['tags'], method: 'gin' }
  ],
  softDelete: true
})

const padded = { sqlite: `printf('%012d', n)`, postgres: `lpad(n::text, 12, '0')` } as const
const numbers = {
  sqlite: `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${ARTICLES - 1})`,
  postgres: `with numbers as (select generate_series(0, ${ARTICLES - 1}) as n)`
} as const
const moment = { sqlite: '1700000000000', postgres: `timestamptz '2024-01-01T00:00:00Z'` } as const

type Engine = 'sqlite' | 'postgres'
type Shape = readonly [name: string, work: (articles: Repository) => Promise<unknown>, most: number, onSqlite?: number]

const SHAPES: readonly Shape[] = [
  ['a slug among present rows', (articles) => articles.findOne({ slug: 's7' }), 1],
  ['a slug that deleted rows have', (articles) => articles.findOne({ slug: 's2007' }), 1],
  ['the same, changed', (articles) => articles.updateOne({ slug: 's7' }, { rank: 8 }), 1],
  ['open ones by rank', (articles) => articles.find({ state: 'open', rank: { $gte: 0 } }, lowest), 11],
  ['whether one is open', (articles) => articles.exists({ state: 'open', rank: { $gte: 0 } }), 21],
  ['present ones of a state', (articles) => articles.count({ state: 'shut' }), PRESENT + 1],
  ['a title in any case', (articles) => articles.withDeleted().findOne({ title: { $ieq: 'HOW TO mend 77' } }), 1],
  ['a part of a title', (articles) => articles.withDeleted().find({ title: { $contains: 'END 4321' } }), FEW, ARTICLES],
  [
    'the same, as a pattern',
    (articles) => articles.withDeleted().find({ title: { $like: '%end 4321%' } }),
    FEW,
    ARTICLES
  ],
  ['an item of a list', (articles) => articles.withDeleted().find({ tags: 't77' }), 120, 2 * ARTICLES]
]

/** The first of them are present. */
const lowest = { order: [['rank', 'ASC']], limit: 5 } as never

async function fill(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const values = [
    `'01890000-0000-7000-8000-' || ${padded[engine]}`,
    `'s' || (n % 5000)`,
    `case when n % 100 = 3 then 'open' else 'shut' end`,
    'n',
    `'How to mend ' || n`,
    `'how to mend ' || n`,
    engine === 'sqlite' ? `json_array('t' || (n % 1000), 'all')` : `jsonb_build_array('t' || (n % 1000), 'all')`,
    `case when n < ${PRESENT} then null else ${moment[engine]} end`
  ]
  const columns = 'id, slug, state, rank, title, "titleFolded", tags, "deletedAt"'
  const rows = `${numbers[engine]} select ${values.join()} from numbers`
  await db.executeQuery(CompiledQuery.raw(`insert into article (${columns}) ${rows}`))
  await db.executeQuery(CompiledQuery.raw(engine === 'postgres' ? 'vacuum analyze' : 'analyze'))
}

async function articlesOn(t: Test, url: string, engine: Engine) {
  const { fastify } = await sqlApp(t, url, { entities: [ARTICLE] })
  await fastify.ready()
  const db = fastify.sqlorm.kysely<unknown>()
  await fill(db, engine)
  return { db, articles: fastify.orm.repository('Article') as Repository }
}

async function plans(
  t: Test,
  { articles }: Awaited<ReturnType<typeof articlesOn>>,
  engine: Engine,
  entriesRead: EntriesRead
): Promise<void> {
  for (const [name, work, some, onSqlite = some] of SHAPES) {
    const most = engine === 'sqlite' ? onSqlite : some
    const queries = await queriesOf(() => work(articles), false)
    let entries = 0
    for (const query of queries) entries += await entriesRead(query)
    t.ok(queries.length > 0 && entries <= most, `${name}: ${entries} entries, at most ${most}`)
  }
}

t.test('SQLite', async (t) => {
  const file = `${temporaryFolder(t)}/articles.db`
  const kept = await articlesOn(t, `sqlite:${file}`, 'sqlite')
  const { entriesRead, close } = readOnSqlite(file)
  t.teardown(close)
  await plans(t, kept, 'sqlite', entriesRead)
})

await onPostgres(async (t, server) => {
  const kept = await articlesOn(t, await server.createDatabase(), 'postgres')
  await plans(t, kept, 'postgres', readOnPostgres(kept.db, { work_mem: '1MB' }))
})
