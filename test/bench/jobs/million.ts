/**
 * A million jobs that have ended, on PostgreSQL: lists, filters and the purge, with the index that answers each, and how fast
 * jobs are added and run beside them, with pg-boss in the same state.
 *
 *   npm run bench -- jobs million             a million jobs, 3 rounds
 *   npm run bench -- jobs million 50000 1     50000 jobs, 1 round
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import pg from 'pg'
import svcJobs from 'svc-jobs'
import { jobStore } from 'svc-jobs/stores'
import svcSqlorm from 'svc-sqlorm'
import { type Engine, postgres } from '../measured/engines.ts'
import { BEGIN, fillWithFinished, type JobTable, KINDS, OURS, PG_BOSS } from './finished-rows.ts'
import { bulkRate, median, runRate } from './rates.ts'
import type { Side } from './side.ts'
import { openRival, ours } from './sides.ts'

/** Jobs of one measurement of a rate. */
const JOBS = 10_000

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

export async function measureMillion(rows: number, rounds: number): Promise<void> {
  const engine = await postgres()
  if (engine === null) throw new Error('no PostgreSQL server is installed')
  try {
    process.stdout.write(`\nNode ${process.versions.node}, PostgreSQL, ${rows} jobs that have ended\n\n`)
    await reads(engine, rows, Math.max(rounds, 3))
    await rates(engine, rows, rounds)
  } finally {
    await engine.close()
  }
}

async function reads(engine: Engine, rows: number, rounds: number): Promise<void> {
  const url = await engine.fresh()
  const sent: string[] = []
  const fastify = await application(url, (text) => sent.push(text))
  const { store } = fastify.stores.select(jobStore, 'auto')
  if (store === null) throw new Error('no store')
  const client = await filled(url, OURS, rows)
  await client.query('set plan_cache_mode = force_generic_plan')
  const { jobs } = fastify
  const middle = idOf(Math.floor(rows / 2))
  const cases: readonly (readonly [name: string, call: (turn: number) => Promise<unknown>])[] = [
    ['a job', (turn) => jobs.get(idOf(turn + 10))],
    ['a page, newest first', () => jobs.list()],
    ['the page in the middle', () => jobs.list({ before: middle })],
    ['of a state', () => jobs.list({ state: 'failed' })],
    ['of a kind', (turn) => jobs.list({ name: `kind ${turn % KINDS}` })],
    ['of a kind and a state, in the middle', () => jobs.list({ name: 'kind 0', state: 'failed', before: middle })],
    ['of a state that none has', () => jobs.list({ state: 'waiting' })],
    ['a purge of 1000', (turn) => store.purge(BEGIN + turn * 1000)]
  ]
  process.stdout.write('| | ms | least - most | by index |\n|---|---:|---:|---|\n')
  for (const [name, call] of cases) {
    await call(0)
    sent.length = 0
    const took: number[] = []
    for (let turn = 1; turn <= rounds; turn += 1) {
      const began = performance.now()
      await call(turn)
      took.push(performance.now() - began)
    }
    const spread = `${Math.min(...took).toFixed(2)} - ${Math.max(...took).toFixed(2)}`
    const indexes = await indexesOf(client, new Set(sent.filter((text) => /^(?:select|delete)/.test(text))))
    process.stdout.write(`| ${name} | ${median(took).toFixed(2)} | ${spread} | ${indexes} |\n`)
  }
  await client.end()
  await fastify.close()
}

/** The sides take turns. */
async function rates(engine: Engine, rows: number, rounds: number): Promise<void> {
  const sides: { name: string; side: Side; bulk: number[]; run: number[] }[] = []
  for (const [name, table, open] of [
    ['svc', OURS, ours],
    ['pg-boss', PG_BOSS, (url: string) => openRival('pg-boss', { url })]
  ] as const) {
    const url = await engine.fresh()
    const side = await open(url)
    await bulkRate(side, 1)
    await runRate(side, 1)
    await (await filled(url, table, rows)).end()
    sides.push({ name, side, bulk: [], run: [] })
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { side, bulk, run } of round % 2 === 0 ? sides : sides.toReversed()) {
      bulk.push(await bulkRate(side, JOBS))
      run.push(await runRate(side, JOBS))
    }
  }
  process.stdout.write(`\n| beside them | added in bulk, a second | run, a second |\n|---|---:|---:|\n`)
  for (const { name, side, bulk, run } of sides) {
    process.stdout.write(`| ${name} | ${Math.round(median(bulk))} | ${Math.round(median(run))} |\n`)
    await side.close()
  }
}

/** @param sent gets every statement */
async function application(url: string, sent: (text: string) => void): Promise<FastifyInstance> {
  const stream = { write: (line: string) => sent(String(JSON.parse(line).msg)) }
  const fastify = Fastify({ logger: { level: 'debug', stream } })
  await fastify.register(svcSqlorm, { connectors: { default: { url } }, debug: true })
  await fastify.register(svcJobs, {})
  fastify.jobs.define('bench', {}, () => undefined)
  await fastify.ready()
  const { id } = await fastify.jobs.add('bench', { value: 1 })
  while ((await fastify.jobs.get(id)).endedAt === null) await sleep(10)
  return fastify
}

async function filled(url: string, table: JobTable, rows: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await fillWithFinished(client, table, rows)
  return client
}

/** As the server plans a statement whatever its values are. A scan of all rows is named as such. */
async function indexesOf(client: pg.Client, statements: ReadonlySet<string>): Promise<string> {
  const used = new Set<string>()
  for (const text of statements) {
    await client.query(`prepare looked_at as ${text}`)
    const parameters = [...new Set(text.match(/\$\d+/g))].map(() => 'null').join()
    const { rows } = await client.query(`explain execute looked_at${parameters === '' ? '' : `(${parameters})`}`)
    await client.query('deallocate looked_at')
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    for (const [index] of plan.matchAll(/\bsvc_job_(?!queue)(?:\w+_)?(?:idx|pkey)\b|Seq Scan on svc_job\b/g))
      used.add(index)
  }
  return [...used].map((index) => `\`${index}\``).join(' ')
}
