/**
 * What repositories do with a million rows: the plan and the time of a page, of filters, of a count and of a purge.
 * Statements are taken from the debug log, so that what is explained is what was sent.
 *
 *   npm run bench -- million-rows                          SQLite, in a temporary file
 *   npm run bench -- million-rows postgres://user@host/db  PostgreSQL, on an empty database
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { CompiledQuery } from 'kysely'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'

const ROWS = 1_000_000
const EVENT = defineEntity({
  name: 'Event',
  schema: { ts: { type: 'integer' }, actor: { type: 'string' }, action: { type: 'string' } },
  indexes: [{ fields: ['ts'] }, { fields: ['actor', 'ts'] }]
})

const FILL = {
  sqlite: `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    insert into event select printf('%08x-0000-7000-8000-%012x', i, i), i, 'actor ' || (i % 5000), 'action ' || (i % 40) from n`,
  postgres: `insert into event select lpad(to_hex(i), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(i), 12, '0'),
    i, 'actor ' || (i % 5000), 'action ' || (i % 40) from generate_series(1, ${ROWS}) i`
}

const given = process.argv[2]
const folder = mkdtempSync(join(tmpdir(), 'svc-million-'))
const statements: string[] = []
const fastify = Fastify({
  logger: { level: 'debug', stream: { write: (line: string) => void statements.push(String(JSON.parse(line).msg)) } }
})
try {
  await fastify.register(svcOrm, { parts: { entities: [EVENT] } })
  await fastify.register(svcSqlorm, {
    connectors: { default: { url: given ?? `sqlite:${folder}/rows.db` } },
    debug: true
  })
  await fastify.ready()
  const db = fastify.sqlorm.kysely()
  const engine = given === undefined ? 'sqlite' : 'postgres'
  await db.executeQuery(CompiledQuery.raw(FILL[engine]))
  await db.executeQuery(CompiledQuery.raw('analyze event'))
  process.stdout.write(`Node ${process.versions.node}, ${engine}, ${ROWS} rows\n`)
  for (const [name, call] of calls()) {
    await call()
    statements.length = 0
    const start = performance.now()
    await call()
    const ms = performance.now() - start
    const [text = ''] = statements
    process.stdout.write(`\n${name}: ${ms.toFixed(2)} ms\n  ${text}\n${await plan(engine, text)}\n`)
  }
} finally {
  await fastify.close()
  rmSync(folder, { recursive: true, force: true })
}

function calls(): readonly (readonly [name: string, call: () => Promise<unknown>])[] {
  const events = fastify.orm.repository(EVENT)
  const page = { order: [['ts', 'DESC']], limit: 20 } as const
  let purged = 0
  return [
    ['a page, newest first', () => events.find({}, page)],
    ['the page after a row', () => events.find({ ts: { $lt: ROWS / 2 } }, page)],
    ['a page of one actor', () => events.find({ actor: 'actor 77' }, page)],
    ['a page with a filter on no index', () => events.find({ action: 'action 7' }, page)],
    ['how many of one actor', () => events.count({ actor: 'actor 77' })],
    [
      'a purge of a thousand rows',
      () => {
        purged += 1000
        return events.delete({ ts: { $lte: purged } })
      }
    ]
  ]
}

async function plan(engine: 'sqlite' | 'postgres', text: string): Promise<string> {
  const db = fastify.sqlorm.kysely()
  if (engine === 'sqlite') {
    const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text}`))
    return rows.map(({ detail }) => `    ${detail}`).join('\n')
  }
  return db.connection().execute(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw(`prepare looked_at as ${text}`))
    // With values of the kind that was sent: so the server plans the first calls of a statement.
    const values = [...new Set(text.match(/\$\d+/g))].map((parameter) => sampleFor(text, parameter))
    const explain = `explain execute looked_at${values.length === 0 ? '' : `(${values.join()})`}`
    const { rows } = await connection.executeQuery<Record<string, string>>(CompiledQuery.raw(explain))
    await connection.executeQuery(CompiledQuery.raw('deallocate looked_at'))
    return rows.map((row) => `    ${row['QUERY PLAN']}`).join('\n')
  })
}

function sampleFor(text: string, parameter: string): string {
  const [, column = '', operator = ''] = new RegExp(`"(\\w+)" (=|<=?) \\${parameter}\\b`).exec(text) ?? []
  if (column === 'ts') return operator === '<' ? String(ROWS / 2) : '2000'
  return column === '' ? '20' : `'${column} 7'`
}
