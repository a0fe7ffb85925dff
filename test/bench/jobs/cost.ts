/**
 * What running a job costs PostgreSQL, beside pg-boss and beside jobs that have ended: rows written, those of them that no
 * index had to be told of (HOT), bytes of the log (WAL), and statements with their time, by `pg_stat_statements`. All but
 * the time is the same on a busy machine.
 *
 *   npm run bench -- jobs cost                  beside 100000 jobs that have ended, 10000 run
 *   npm run bench -- jobs cost 1000 2000 5      beside 1000, 2000 run; the five longest statements of each
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PostgresServer, postgresPrograms } from '../../support/postgres-server.ts'
import { fillWithFinished, type JobTable, OURS, PG_BOSS } from './finished-rows.ts'
import { bulkRate, runRate } from './rates.ts'
import type { Side } from './side.ts'
import { openRival, ours } from './sides.ts'

const SIDES = [
  ['svc', OURS, ours],
  ['pg-boss', PG_BOSS, (url: string) => openRival('pg-boss', { url })]
] as const

interface Written {
  readonly inserted: number
  readonly updated: number
  readonly hot: number
  readonly deleted: number
}

interface Statement {
  readonly calls: number
  readonly ms: number
  readonly rows: number
  readonly query: string
}

/** When a connection that idles has said what it did, ms: after ten seconds. */
const SAID_MS = 11_000
const ROWS = `select sum(n_tup_ins)::int inserted, sum(n_tup_upd)::int updated, sum(n_tup_hot_upd)::int hot,
  sum(n_tup_del)::int deleted from pg_stat_user_tables`
const WAL = `select (pg_current_wal_lsn() - '0/0')::float bytes`
const STATEMENTS = `select calls::int, total_exec_time::float ms, rows::int, query from pg_stat_statements s
  join pg_database d on d.oid = s.dbid where d.datname = current_database() and query !~ 'pg_(stat|current)'
  order by total_exec_time desc`

/** @param listed so many of its statements are listed, the longest first */
export async function measureCost(finished = 100_000, jobs = 10_000, listed = 0): Promise<void> {
  const programs = postgresPrograms()
  if (programs === null) throw new Error('no PostgreSQL server is installed')
  const server = await PostgresServer.start(programs)
  try {
    await server.administer(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
    await server.stop()
    await server.start()
    process.stdout.write(`\nof a job, while ${jobs} run beside ${finished} that have ended\n\n`)
    process.stdout.write('| | inserts | updates | HOT | deletes | WAL, bytes | statements | their time, us |\n')
    process.stdout.write('|---|---:|---:|---:|---:|---:|---:|---:|\n')
    for (const [name, table, open] of SIDES) {
      await server.administer(`create database "${name}"`)
      const url = server.url(name)
      const side = await open(url)
      const { rows, bytes, statements } = await measured(side, url, table, finished, jobs)
      await side.close()
      const total = (key: 'calls' | 'ms') => statements.reduce((sum, statement) => sum + statement[key], 0)
      const counts = [rows.inserted, rows.updated, rows.hot, rows.deleted].map((count) => (count / jobs).toFixed(2))
      const cells = [
        Math.round(bytes / jobs),
        (total('calls') / jobs).toFixed(2),
        Math.round((total('ms') / jobs) * 1000)
      ]
      process.stdout.write(`| ${[name, ...counts, ...cells].join(' | ')} |\n`)
      for (const { calls, ms, rows, query } of statements.slice(0, listed)) {
        const text = query.replaceAll(/\s+/g, ' ').slice(0, 300)
        process.stdout.write(`  ${calls} calls, ${ms.toFixed(1)} ms, ${rows} rows: ${text}\n`)
      }
    }
  } finally {
    await server.kill()
    server.remove()
  }
}

async function measured(side: Side, url: string, table: JobTable, finished: number, jobs: number) {
  await bulkRate(side, 1)
  await runRate(side, 1)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create extension pg_stat_statements')
  await fillWithFinished(client, table, finished)
  await bulkRate(side, jobs)
  const before = await written(client)
  await client.query('select pg_stat_statements_reset()')
  const from = await bytesWritten(client)
  await runRate(side, jobs)
  const bytes = (await bytesWritten(client)) - from
  const after = await written(client)
  const { rows: statements } = await client.query<Statement>(STATEMENTS)
  await client.end()
  const since = (key: keyof Written) => after[key] - before[key]
  const rows: Written = {
    inserted: since('inserted'),
    updated: since('updated'),
    hot: since('hot'),
    deleted: since('deleted')
  }
  return { rows, bytes, statements }
}

async function written(client: pg.Client): Promise<Written> {
  await sleep(SAID_MS)
  const { rows } = await client.query<Written>(ROWS)
  return rows[0] as Written
}

async function bytesWritten(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(WAL)
  return rows[0]?.bytes ?? 0
}
