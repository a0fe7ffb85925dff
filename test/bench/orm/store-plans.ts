/**
 * What the stores of svc-sqlorm do with a million sessions, tokens and audit events: the plan and the time of lists,
 * filters, counts and purges. Statements are taken from the debug log, so that what is explained is what was sent.
 *
 *   npm run bench -- store-plans                          SQLite, in a temporary file
 *   npm run bench -- store-plans postgres://user@host/db  PostgreSQL, on an empty database
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { CompiledQuery } from 'kysely'
import { auditStore } from 'svc-audit'
import type { Clock } from 'svc-kernel'
import { sessionStore, tokensStore } from 'svc-security/stores'
import svcSqlorm from 'svc-sqlorm'
import svcStores from 'svc-stores'

type Call = readonly [name: string, call: () => unknown]

const ROWS = 1_000_000
/** Row number `i` was made at this millisecond; the last one now. */
const clock: Clock = { now: () => ROWS, setTimeout: () => null, clearTimeout: () => undefined }
const DAY_MS = 86_400_000

const FILL: Readonly<Record<string, string>> = {
  svc_session: `(id, "user", content, flash, meta, "createdAt", "updatedAt")
    select 's' || i, 'user ' || (i % 5000), '{}', '{}', '{}', i, i`,
  svc_access_token: `(id, kind, subject, "tenantId", scopes, "secretHash", family, "createdAt", "expiresAt", "revokedAt")
    select 't' || i, 'refresh', 'user ' || (i % 5000), 'tenant ' || (i % 100), '[]', 'hash ' || i, 'family ' || i, i,
      i + ${ROWS - 1000}, case when i % 10 = 0 then i end`,
  svc_audit_event: `(id, ts, category, action, outcome, actor, metadata)
    select 'aud_' || i, i, 'category ' || (i % 11), 'action ' || (i % 40), 'success', 'user ' || (i % 5000), '{}'`
}
/** `select` into typed columns: PostgreSQL does not guess that text is JSON. */
const JSON_TEXT = /'(\{\}|\[\])'/g

const given = process.argv[2]
const engine = given === undefined ? 'sqlite' : 'postgres'
const folder = mkdtempSync(join(tmpdir(), 'svc-million-'))
const statements: string[] = []
const fastify = Fastify({
  logger: { level: 'debug', stream: { write: (line: string) => void statements.push(String(JSON.parse(line).msg)) } }
})
await fastify.register(svcStores, { parts: { clock } })
const connector =
  given === undefined ? { url: `sqlite:${folder}/rows.db` } : { url: given, statementTimeoutMs: 600_000 }
await fastify.register(svcSqlorm, { connectors: { default: connector }, debug: true })
const sessions = fastify.stores.select(sessionStore, 'sqlorm').store
const tokens = fastify.stores.select(tokensStore, 'sqlorm').store
const audit = fastify.stores.select(auditStore, 'sqlorm').store
try {
  await fastify.ready()
  for (const [table, rows] of Object.entries(FILL)) await fill(table, rows)
  process.stdout.write(`Node ${process.versions.node}, ${engine}, ${ROWS} rows in each table\n`)
  for (const [name, call] of calls()) await measure(name, call)
} finally {
  await fastify.close()
  rmSync(folder, { recursive: true, force: true })
}

function calls(): readonly Call[] {
  if (sessions === null || tokens === null || audit === null) throw new Error('no stores')
  const later = `${ROWS / 2}:aud_${ROWS / 2}`
  const cutoffS = (age: number) => (ROWS - age) / 1000
  return [
    ['a session', () => sessions.find('s500000')],
    ['sessions, newest first', () => sessions.list({}, {})],
    ['sessions of a user', () => sessions.list({ user: 'user 77' }, {})],
    ['how many sessions of a user', () => sessions.count({ user: 'user 77' })],
    ['purge of 1000 idle sessions', () => sessions.purge({ idleTimeoutS: cutoffS(1000), absoluteTimeoutS: 0 })],
    ['purge of 1000 old sessions', () => sessions.purge({ idleTimeoutS: 0, absoluteTimeoutS: cutoffS(2000) })],
    ['a token by its hash', () => tokens.findByHash('hash 500000')],
    ['tokens, newest first', () => tokens.list({}, {})],
    ['active tokens, newest first', () => tokens.list({ active: true }, {})],
    ['tokens of a subject', () => tokens.list({ subject: 'user 77' }, {})],
    ['tokens of a tenant', () => tokens.list({ tenantId: 'tenant 7' }, {})],
    ['purge of 1000 expired tokens', () => tokens.purge(ROWS)],
    ['events, newest first', () => audit.list({}, { limit: 50 })],
    ['events of an actor', () => audit.list({ actor: 'user 77' }, { limit: 50 })],
    ['the page in the middle', () => audit.list({}, { limit: 50, cursor: later })],
    ['purge of events', () => audit.purge((ROWS - 1000) / DAY_MS)]
  ]
}

async function fill(table: string, rows: string): Promise<void> {
  const numbers =
    engine === 'sqlite'
      ? `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) select i from n)`
      : `(select generate_series(1, ${ROWS}) as i)`
  const typed = engine === 'sqlite' ? rows : rows.replace(JSON_TEXT, "'$1'::json")
  const db = fastify.sqlorm.kysely()
  await db.executeQuery(CompiledQuery.raw(`insert into ${table} ${typed} from ${numbers} as numbers`))
  await db.executeQuery(CompiledQuery.raw(`analyze ${table}`))
}

/** With a warm cache; what a purge removes is gone, so that it has one try. */
async function measure(name: string, call: () => unknown): Promise<void> {
  if (!name.startsWith('purge')) await call()
  statements.length = 0
  const start = performance.now()
  await call()
  const ms = performance.now() - start
  process.stdout.write(`\n${name}: ${ms.toFixed(2)} ms\n`)
  for (const text of new Set(statements)) process.stdout.write(`  ${text}\n${await plan(text)}\n`)
}

async function plan(text: string): Promise<string> {
  const db = fastify.sqlorm.kysely()
  if (engine === 'sqlite') {
    const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text}`))
    return rows.map(({ detail }) => `    ${detail}`).join('\n')
  }
  return db.connection().execute(async (connection) => {
    const query = async <Row>(sql: string) => (await connection.executeQuery<Row>(CompiledQuery.raw(sql))).rows
    await query(`prepare looked_at as ${text}`)
    const types = await query<{ type: string }>(
      `select unnest(parameter_types)::text as type from pg_prepared_statements where name = 'looked_at'`
    )
    const samples: Readonly<Record<string, string>> = { bigint: '50', text: "'user 77'" }
    const values = types.length === 0 ? '' : `(${types.map(({ type }) => samples[type] ?? 'null').join()})`
    const rows = await query<Record<string, string>>(`explain execute looked_at${values}`)
    await query('deallocate looked_at')
    return rows.map((row) => `    ${row['QUERY PLAN']}`).join('\n')
  })
}
