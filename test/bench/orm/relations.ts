/**
 * A list of 100 rows with two relations, beside the same three statements by hand with Kysely on the same connection; and
 * a million rows streamed: time, and memory above that at rest. Interleaved rounds, medians; prints a Markdown table.
 *
 *   npm run bench -- relations                               SQLite, 9 rounds of 200 calls
 *   npm run bench -- relations 9 200 postgres://user@host/db  PostgreSQL, on an empty database
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { CompiledQuery, type Kysely } from 'kysely'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'

const [rounds = 9, calls = 200] = process.argv.slice(2, 4).map(Number)
const url = process.argv[4]
const isSqlite = url === undefined
const STREAMED = 1_000_000
const LISTED = 100

const Writer = defineEntity({ name: 'Writer', schema: { name: { type: 'string' } } })
const Remark = defineEntity({
  name: 'Remark',
  schema: { text: { type: 'string' } },
  relations: { article: { type: 'many-to-one', target: 'Article' } }
})
const Article = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' }, stars: { type: 'integer' } },
  relations: {
    writer: { type: 'many-to-one', target: 'Writer' },
    remarks: { type: 'one-to-many', target: 'Remark', mappedBy: 'article' }
  },
  indexes: [{ fields: ['stars'] }]
})
const Reading = defineEntity({ name: 'Reading', schema: { at: { type: 'integer' }, sensor: { type: 'string' } } })

const READINGS = isSqlite
  ? `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${STREAMED})
     insert into reading select printf('%08x-0000-7000-8000-%012x', i, i), i, 'sensor ' || (i % 50) from n`
  : `insert into reading select lpad(to_hex(i), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(i), 12, '0'), i,
     'sensor ' || (i % 50) from generate_series(1, ${STREAMED}) i`

const folder = mkdtempSync(join(tmpdir(), 'svc-relations-'))
const fastify = Fastify()
try {
  await fastify.register(svcOrm, { parts: { entities: [Writer, Remark, Article, Reading] } })
  await fastify.register(svcSqlorm, { connectors: { default: { url: url ?? `sqlite:${folder}/rows.db` } } })
  await fastify.ready()
  await fill()
  process.stdout.write(
    `\nNode ${process.versions.node}, ${isSqlite ? 'SQLite' : 'PostgreSQL'}, ${rounds} rounds of ${calls}\n\n`
  )
  await compareInclude()
  await stream()
} finally {
  await fastify.close()
  rmSync(folder, { recursive: true, force: true })
}

async function fill(): Promise<void> {
  const people = await fastify.orm
    .repository(Writer)
    .createMany(Array.from({ length: 50 }, (_, n) => ({ name: `w${n}` })))
  const written = await fastify.orm
    .repository(Article)
    .createMany(
      Array.from({ length: 2000 }, (_, n) => ({ title: `t${n}`, stars: n % 20, writerId: people[n % 50]?.id ?? '' }))
    )
  const remarks = written.flatMap(({ id }, n) =>
    Array.from({ length: n % 4 }, (_, m) => ({ text: `r${m}`, articleId: id }))
  )
  await fastify.orm.repository(Remark).createMany(remarks)
  await fastify.sqlorm.kysely().executeQuery(CompiledQuery.raw(READINGS))
}

async function compareInclude(): Promise<void> {
  const articles = fastify.orm.repository(Article)
  const ours = (stars: number) =>
    articles.find({ stars }, { order: [['id', 'ASC']], limit: LISTED, include: { writer: true, remarks: true } })
  const hand = byHand(fastify.sqlorm.kysely())
  const times: Record<'ours' | 'hand', number[]> = { ours: [], hand: [] }
  for (let round = 0; round <= rounds; round += 1) {
    const sides = [['ours', ours] as const, ['hand', hand] as const]
    for (const [name, list] of round % 2 === 0 ? sides : sides.toReversed()) {
      const start = performance.now()
      for (let call = 0; call < calls; call += 1) await list(call % 20)
      if (round > 0) times[name].push(((performance.now() - start) / calls) * 1000)
    }
  }
  const ratio = median(times.ours.map((time, round) => time / (times.hand[round] ?? Number.NaN)))
  process.stdout.write('| case | by hand, us | svc, us | ratio | budget |\n|---|---:|---:|---:|---:|\n')
  const cells = [median(times.hand).toFixed(0), median(times.ours).toFixed(0), ratio.toFixed(2), '<= 1.25']
  process.stdout.write(`| ${LISTED} rows with two relations | ${cells.join(' | ')} |\n`)
}

type Row = Record<string, unknown>

/** What one would write: a statement each, and two maps. */
function byHand(db: Kysely<unknown>): (stars: number) => Promise<Row[]> {
  const among = isSqlite ? 'in (select value from json_each(?))' : '= any($1)'
  const list = `select id, title, stars, "writerId" from article where stars = ${isSqlite ? '?' : '$1'} order by id limit ${LISTED}`
  const ask = async (text: string, value: unknown) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, [value]))).rows
  const ids = (given: unknown[]) => (isSqlite ? JSON.stringify(given) : given)
  return async (stars) => {
    const rows = await ask(list, stars)
    const people = await ask(
      `select id, name from writer where id ${among}`,
      ids([...new Set(rows.map(({ writerId }) => writerId))])
    )
    const remarks = await ask(
      `select id, text, "articleId" from remark where "articleId" ${among} order by id`,
      ids(rows.map(({ id }) => id))
    )
    const byId = new Map(people.map((row) => [row.id, row]))
    const byArticle = new Map(rows.map(({ id }): [unknown, Row[]] => [id, []]))
    for (const remark of remarks) byArticle.get(remark.articleId)?.push(remark)
    return rows.map((row) => ({ ...row, writer: { ...byId.get(row.writerId) }, remarks: byArticle.get(row.id) }))
  }
}

async function stream(): Promise<void> {
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  let [count, most] = [0, idle]
  const start = performance.now()
  for await (const _ of fastify.orm.repository(Reading).stream()) {
    count += 1
    if (count % 1000 === 0) most = Math.max(most, process.memoryUsage.rss())
  }
  const seconds = (performance.now() - start) / 1000
  const mib = (most - idle) / 2 ** 20
  process.stdout.write(
    `\n${count} rows streamed in ${seconds.toFixed(1)} s, at most ${mib.toFixed(0)} MiB above rest (budget 60)\n`
  )
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
