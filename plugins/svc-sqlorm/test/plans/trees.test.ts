/**
 * What questions about a tree of 20 000 rows, and about 60 000 rows in it, read on both engines: the entries that each level
 * takes, by the index of the reference.
 */
import { CompiledQuery, type Kysely } from 'kysely'
import { defineEntity, type Repository } from 'svc-orm'
import t, { type Test } from 'tap'
import { type EntriesRead, queriesOf, readOnPostgres, readOnSqlite } from '../support/entries-read.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

t.setTimeout(240_000)

const CATEGORY = defineEntity({
  name: 'Category',
  schema: { slug: { type: 'string', unique: true } },
  relations: { parent: { type: 'many-to-one', target: 'Category', nullable: true, onDelete: 'none' } },
  tree: 'parent'
})
const PRODUCT = defineEntity({
  name: 'Product',
  schema: { title: { type: 'string' } },
  relations: { category: { type: 'many-to-one', target: 'Category', onDelete: 'none' } }
})

type Engine = 'sqlite' | 'postgres'

interface Filled {
  readonly db: Kysely<unknown>
  readonly categories: Repository
  readonly products: Repository
}

/** Of ten children each: below 7 are 71 to 80, below 71 are 711 to 720, and below 711 the leaves 7111 to 7120. */
const id = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`

const SHAPES: readonly (readonly [
  name: string,
  work: (filled: Filled) => Promise<{ readonly length: number } | number>,
  rows: number,
  most: number
])[] = [
  // The row, those below by the index, a look for each leaf, and each row by its id.
  ['110 rows below', ({ categories }) => categories.descendants(id(71)), 110, 4 * 111],
  ['1110 rows below', ({ categories }) => categories.descendants(id(7)), 1110, 4 * 1111],
  ['ten children', ({ categories }) => categories.descendants(id(71), { maxDepth: 1 }), 10, 60],
  ['the path to the root', ({ categories }) => categories.ancestors(id(7111)), 4, 20],
  ['rows in a part', ({ products }) => products.find({ category: { $within: id(711) } }), 33, 120],
  [
    'rows in a part, by its slug',
    ({ products }) => products.count({ category: { $within: { slug: 's711' } } }),
    33,
    120
  ]
]

async function filledOn(t: Test, url: string, engine: Engine): Promise<Filled> {
  const { fastify } = await sqlApp(t, url, { entities: [CATEGORY, PRODUCT] })
  await fastify.ready()
  const db = fastify.sqlorm.kysely<unknown>()
  const run = (text: string) => db.executeQuery(CompiledQuery.raw(text))
  const padded = (n: string) =>
    `'01890000-0000-7000-8000-' || ${engine === 'sqlite' ? `printf('%012d', ${n})` : `lpad((${n})::text, 12, '0')`}`
  const numbers = (count: number) =>
    engine === 'sqlite'
      ? `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})`
      : `with numbers as (select generate_series(0, ${count - 1}) as n)`
  const above = `case when n = 0 then null else ${padded('(n - 1) / 10')} end`
  await run(
    `insert into category (id, slug, "parentId") ${numbers(20_000)} select ${padded('n')}, 's' || n, ${above} from numbers`
  )
  await run(
    `insert into product (id, title, "categoryId") ${numbers(60_000)}
    select ${padded('n')}, 'p', ${padded('n % 20000')} from numbers`
  )
  await run(engine === 'postgres' ? 'vacuum analyze' : 'analyze')
  const repository = (name: string) => fastify.orm.repository(name) as Repository
  return { db, categories: repository('Category'), products: repository('Product') }
}

async function plans(t: Test, filled: Filled, entriesRead: EntriesRead): Promise<void> {
  for (const [name, work, rows, most] of SHAPES) {
    const queries = await queriesOf(async () => {
      const found = await work(filled)
      t.equal(typeof found === 'number' ? found : found.length, rows, name)
    }, true)
    t.equal(queries.length, 1, `${name}: one statement`)
    let entries = 0
    for (const query of queries) entries += await entriesRead(query)
    t.ok(entries <= most, `${name}: ${entries} entries, at most ${most}`)
  }
}

t.test('SQLite', async (t) => {
  const file = `${temporaryFolder(t)}/tree.db`
  const filled = await filledOn(t, `sqlite:${file}`, 'sqlite')
  const { entriesRead, close } = readOnSqlite(file)
  t.teardown(close)
  await plans(t, filled, entriesRead)
})

await onPostgres(async (t, server) => {
  const filled = await filledOn(t, await server.createDatabase(), 'postgres')
  await plans(t, filled, readOnPostgres(filled.db, { work_mem: '64kB' }))
})
