/**
 * What finds ask of trees, beside the recursive statement that one would write by hand with Kysely on the same connection.
 * Interleaved rounds, medians of CPU time where the database is in the process; prints a Markdown table.
 *
 *   npm run bench -- trees                               SQLite, 9 rounds
 *   npm run bench -- trees 9 postgres://user@host/db     PostgreSQL, on an empty database
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { CompiledQuery } from 'kysely'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import { cpu, wall } from '../measured/clock.ts'
import { compare, type Work } from './compare.ts'

const rounds = Number(process.argv[2] ?? 9)
const url = process.argv[3]
const isSqlite = url === undefined
/** Of ten children each. */
const CATEGORIES = 11_111
const PRODUCTS = 40_000

const Category = defineEntity({
  name: 'Category',
  schema: { slug: { type: 'string', unique: true } },
  relations: { parent: { type: 'many-to-one', target: 'Category', nullable: true, onDelete: 'none' } },
  tree: 'parent'
})
const Product = defineEntity({
  name: 'Product',
  schema: { title: { type: 'string' } },
  relations: { category: { type: 'many-to-one', target: 'Category', onDelete: 'none' } }
})

const folder = mkdtempSync(join(tmpdir(), 'svc-trees-'))
const fastify = Fastify()
try {
  await fastify.register(svcOrm, { parts: { entities: [Category, Product] } })
  await fastify.register(svcSqlorm, { connectors: { default: { url: url ?? `sqlite:${folder}/rows.db` } } })
  await fastify.ready()
  const ids = await fill()
  process.stdout.write(`\nNode ${process.versions.node}, ${isSqlite ? 'SQLite' : 'PostgreSQL'}, ${rounds} rounds\n\n`)
  process.stdout.write('| case | by hand, us | svc, us | ratio | budget |\n| --- | ---: | ---: | ---: | ---: |\n')
  const clock = isSqlite ? cpu : wall
  for (const [name, calls, ours, hand] of cases((n) => ids[n] as string))
    await compare(name, ours, hand, { calls, rounds, clock })
} finally {
  await fastify.close()
  rmSync(folder, { recursive: true, force: true })
}

async function fill(): Promise<readonly string[]> {
  const ids = Array.from({ length: CATEGORIES }, (_, n) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`)
  const rows = ids.map((id, n) => ({
    id,
    slug: `s${n}`,
    parentId: n === 0 ? null : (ids[Math.floor((n - 1) / 10)] ?? null)
  }))
  await fastify.orm.repository(Category).createMany(rows)
  const products = Array.from({ length: PRODUCTS }, (_, n) => ({
    ...{ title: `p${n}`, categoryId: ids[(n * 7919) % CATEGORIES] ?? '' }
  }))
  await fastify.orm.repository(Product).createMany(products)
  await fastify.sqlorm.kysely().executeQuery(CompiledQuery.raw(isSqlite ? 'analyze' : 'vacuum analyze'))
  return ids
}

function cases(id: (n: number) => string): readonly (readonly [name: string, calls: number, ours: Work, hand: Work])[] {
  const [categories, products] = [fastify.orm.repository('Category'), fastify.orm.repository('Product')]
  const db = fastify.sqlorm.kysely()
  const ask = async (text: string, ...values: unknown[]) => {
    const numbered = isSqlite ? text : values.reduce<string>((all, _, place) => all.replace('?', `$${place + 1}`), text)
    return (await db.executeQuery(CompiledQuery.raw(numbered, values))).rows
  }
  const below = `with recursive t(id) as (select id from category where id = ?
    union select c.id from category c join t on c."parentId" = t.id)`
  const levels = `with recursive t(id, level) as (select id, 0 from category where id = ?
    union all select c.id, t.level + 1 from category c join t on c."parentId" = t.id)`
  const path = `with recursive t(id, above, level) as (select id, "parentId", 0 from category where id = ?
    union all select c.id, c."parentId", t.level + 1 from category c join t on c.id = t.above)`
  // SQLite takes the tables in this order, else it reads the whole of the second one.
  const join = isSqlite ? 'cross join' : 'join'
  const columns = 'c.id, c.slug, c."parentId"'
  return [
    [
      '110 rows below a row, with their depth',
      100,
      (round) => categories.descendants(id(11 + (round % 100)), { depthAs: 'level' } as never),
      (round) =>
        ask(
          `${levels} select ${columns}, t.level from t ${join} category c on c.id = t.id order by t.level, c.id limit ?`,
          ...[id(11 + (round % 100)), 10_001]
        )
    ],
    [
      '1110 rows below a row',
      20,
      (round) => categories.descendants(id(1 + (round % 10))),
      (round) =>
        ask(
          `${levels} select ${columns} from t ${join} category c on c.id = t.id order by t.level, c.id limit ?`,
          ...[id(1 + (round % 10)), 10_001]
        )
    ],
    [
      'the path to a row',
      2000,
      (round) => categories.ancestors(id(2000 + (round % 200))),
      (round) =>
        ask(
          `${path} select ${columns} from t ${join} category c on c.id = t.id order by t.level desc`,
          id(2000 + (round % 200))
        )
    ],
    [
      'about 40 rows in a category or below',
      100,
      (round) => products.find({ category: { $within: id(111 + (round % 100)) } } as never),
      (round) =>
        ask(
          `${below} select id, title, "categoryId" from product where "categoryId" in (select id from t) order by id`,
          id(111 + (round % 100))
        )
    ],
    [
      'how many rows are in a category or below, of about 400',
      100,
      (round) => products.count({ category: { $within: id(11 + (round % 100)) } } as never),
      (round) =>
        ask(`${below} select count(*) from product where "categoryId" in (select id from t)`, id(11 + (round % 100)))
    ]
  ]
}
