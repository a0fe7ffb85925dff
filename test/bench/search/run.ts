/**
 * What `$search` costs beside the statement that one would write by hand with Kysely on the same connection: FTS5 on SQLite,
 * `tsvector` on PostgreSQL, with an index of the same words. Interleaved rounds, medians of CPU time where the database is in the process; prints a Markdown table.
 *
 *   npm run bench -- search                               SQLite, 9 rounds
 *   npm run bench -- search 9 postgres://user@host/db     PostgreSQL, on an empty database
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { CompiledQuery } from 'kysely'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import { cpu, wall } from '../measured/clock.ts'
import { compare, type Work } from '../orm/compare.ts'

const rounds = Number(process.argv[2] ?? 9)
const url = process.argv[3]
const isSqlite = url === undefined
const ROWS = 20_000
/** Word n is in one of n + 1 rows, or nearly so. */
const WORDS = 400
const FEW = 20
/** As labels A and B. */
const HAND_VECTOR = `(setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', text), 'B'))`

const SQLITE_INDEX = [
  `create virtual table hand using fts5(title, text, content='article')`,
  `create trigger written after insert on article begin
    insert into hand (rowid, title, text) values (new.rowid, new.title, new.text); end`
]
const POSTGRES_INDEX = [`create index hand on article using gin ((${HAND_VECTOR}))`]

const Article = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' }, text: { type: 'text' }, stars: { type: 'integer' } },
  search: [{ field: 'title', weight: 4 }, 'text']
})

const folder = mkdtempSync(join(tmpdir(), 'svc-search-'))
const fastify = Fastify()
try {
  await fastify.register(svcOrm, { parts: { entities: [Article] } })
  await fastify.register(svcSqlorm, { connectors: { default: { url: url ?? `sqlite:${folder}/rows.db` } } })
  await fastify.ready()
  await fill()
  process.stdout.write(`\nNode ${process.versions.node}, ${isSqlite ? 'SQLite' : 'PostgreSQL'}, ${rounds} rounds\n\n`)
  process.stdout.write('| case | by hand, us | svc, us | ratio | budget |\n| --- | ---: | ---: | ---: | ---: |\n')
  const clock = isSqlite ? cpu : wall
  for (const [name, calls, ours, hand] of cases()) await compare(name, ours, hand, { calls, rounds, clock })
} finally {
  await fastify.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Rows, and the index of the side by hand, which is filled as rows are written. */
async function fill(): Promise<void> {
  for (const text of isSqlite ? SQLITE_INDEX : POSTGRES_INDEX) await ask(text)
  const wordsOf = (n: number) => Array.from({ length: WORDS }, (_, word) => word).filter((word) => n % (word + 1) === 0)
  const rows = Array.from({ length: ROWS }, (_, n) => ({
    title: `article ${n} word${n % WORDS}`,
    text: `a text of some length ${wordsOf(n)
      .map((word) => `word${word}`)
      .join(' ')}`,
    stars: n % 10
  }))
  await fastify.orm.repository(Article).createMany(rows)
  await ask(isSqlite ? 'analyze' : 'vacuum analyze')
}

async function ask(text: string, ...values: unknown[]) {
  const numbered = isSqlite ? text : values.reduce<string>((all, _, place) => all.replace('?', `$${place + 1}`), text)
  return (await fastify.sqlorm.kysely().executeQuery(CompiledQuery.raw(numbered, values))).rows
}

function cases(): readonly (readonly [name: string, calls: number, ours: Work, hand: Work])[] {
  const articles = fastify.orm.repository(Article)
  const columns = 'a.id, a.title, a.text, a.stars'
  const matching = isSqlite
    ? 'a.rowid in (select rowid from hand where hand match ?)'
    : `${HAND_VECTOR} @@ to_tsquery('simple', ?)`
  const both = isSqlite ? ' ' : ' & '
  const rare = (round: number) => `word${300 + (round % 100)}`
  const pair = (round: number) => [`word${10 + (round % 10)}`, `word${20 + (round % 10)}`]
  return [
    [
      'rows with a rare word, about 100',
      100,
      (round) => articles.find({ $search: rare(round) }),
      (round) => ask(`select ${columns} from article a where ${matching} order by a.id`, rare(round))
    ],
    [
      `the first ${FEW} rows with two words`,
      50,
      (round) => articles.find({ $search: pair(round).join(' ') }, { order: [['id', 'ASC']], limit: FEW }),
      (round) =>
        ask(`select ${columns} from article a where ${matching} order by a.id limit ?`, pair(round).join(both), FEW)
    ],
    [
      `the best ${FEW} rows with two words`,
      50,
      (round) => articles.find({ $search: pair(round).join(' ') }, { order: [['$rank', 'DESC']], limit: FEW } as never),
      (round) => {
        const words = pair(round).join(both)
        if (isSqlite) {
          const found = `select rowid, -bm25(hand, 4, 1) as score from hand where hand match ?`
          const text = `select ${columns}, score from (${found}) f cross join article a on a.rowid = f.rowid`
          return ask(`${text} order by score desc, a.id limit ?`, words, FEW)
        }
        const rank = `ts_rank('{0,0,0.25,1}', ${HAND_VECTOR}, to_tsquery('simple', ?), 1)`
        const text = `select ${columns}, ${rank} as score from article a where ${matching}`
        return ask(`${text} order by score desc, a.id limit ?`, words, words, FEW)
      }
    ],
    [
      'how many rows have two words',
      50,
      (round) => articles.count({ $search: pair(round).join(' ') }),
      (round) => ask(`select count(*) from article a where ${matching}`, pair(round).join(both))
    ]
  ]
}
