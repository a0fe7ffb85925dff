/**
 * What running a job costs PostgreSQL, beside pg-boss and beside jobs that have ended: rows written, those of them that no
 * index had to be told of (HOT), bytes of the log (WAL), and statements with their time, by `pg_stat_statements`. All but
 * the time is the same on a busy machine.
 *
 *   npm run bench -- jobs cost                  beside 100000 jobs that have ended, 10000 run
 *   npm run bench -- jobs cost 1000 2000        beside 1000, 2000 run
 */
import pg from 'pg'
import { PostgresServer, postgresPrograms } from '../../support/postgres-server.ts'
import { fillWithFinished, OURS, PG_BOSS } from './finished-rows.ts'
import { bulkRate, runRate } from './rates.ts'
import { openRival, ours } from './sides.ts'

const SIDES = [
  ['svc', OURS, ours],
  ['pg-boss', PG_BOSS, (url: string) => openRival('pg-boss', { url })]
] as const

/** Since the last reset. The backends of a side report when it closes their connections, or a second later. */
interface Written {
  readonly inserted: number
  readonly updated: number
  readonly hot: number
  readonly deleted: number
}

const ROWS = `select sum(n_tup_ins)::int inserted, sum(n_tup_upd)::int updated, sum(n_tup_hot_upd)::int hot,
  sum(n_tup_del)::int deleted from pg_stat_user_tables`
const STATEMENTS = `select calls::int, round(total_exec_time::numeric, 1)::float ms, rows::int, query from pg_stat_statements s
  join pg_database d on d.oid = s.dbid where d.datname = current_database() order by total_exec_time desc`

export async function measureCost(finished = 100_000, jobs = 10_000): Promise<void> {
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
      await bulkRate(side, 1)
      await runRate(side, 1)
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query('create extension pg_stat_statements')
      await fillWithFinished(client, table, finished)
      await bulkRate(side, jobs)
      const before = await read(client)
      await client.query('select pg_stat_statements_reset()')
      await runRate(side, jobs)
      const after = await read(client)
      const { rows: statements } = await client.query(STATEMENTS)
      const own = statements.filter(({ query }) => !/pg_(?:stat|current)/.test(query))
      const each = (total: number) => (total / jobs).toFixed(2)
      const row = (key: keyof Written) => each(after[key] - before[key])
      const sum = (key: 'calls' | 'ms') => own.reduce((total, statement) => total + Number(statement[key]), 0)
      const cells = [
        row('inserted'),
        row('updated'),
        row('hot'),
        row('deleted'),
        Math.round((after.wal - before.wal) / jobs)
      ]
      process.stdout.write(
        `| ${[name, ...cells, each(sum('calls')), Math.round((sum('ms') / jobs) * 1000)].join(' | ')} |\n`
      )
      if (process.env.STATEMENTS !== undefined)
        for (const { calls, ms, rows, query } of own.slice(0, 12))
          process.stdout.write(
            `  ${calls} calls, ${ms} ms, ${rows} rows: ${String(query).replaceAll(/\s+/g, ' ').slice(0, 300)}\n`
          )
      await client.end()
      await side.close()
    }
  } finally {
    await server.kill()
    server.remove()
  }
}

async function read(client: pg.Client): Promise<Written & { readonly wal: number }> {
  // A backend that works says what it did at the end of a transaction, at most once a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const { rows: counts } = await client.query(ROWS)
  const { rows: wal } = await client.query(`select (pg_current_wal_lsn() - '0/0')::float wal`)
  return { ...counts[0], wal: wal[0].wal }
}
