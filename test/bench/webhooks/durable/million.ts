/**
 * What administrators and the retention do with a million attempts that are kept, and by which index the engine does it.
 * Statements are taken from the debug log, so that what is explained is what was sent.
 */
import type { FastifyInstance } from 'fastify'
import { CompiledQuery } from 'kysely'
import { anEntry } from 'svc-webhooks/conformance'
import { type HistoryStore, historyStore } from 'svc-webhooks/stores'
import { type Engine, postgres, sqlite } from '../../measured/engines.ts'
import { type Measurement, median } from '../measurement.ts'
import { durableApp } from './svc-sender.ts'

const ROWS = 1_000_000
/** Each has ten thousand. */
const SUBJECTS = 100
/** Epoch ms of the first; one ended every millisecond. */
const BEGIN = Date.UTC(2026, 0, 1)
const TABLE = 'svc_webhook_history'

type Call = (store: HistoryStore, turn: number) => Promise<unknown>

const page = { limit: 50 }
const cases: readonly (readonly [name: string, call: Call])[] = [
  ['a page, newest first', (store, turn) => store.list(`wh_${turn}`, {}, page)],
  ['of a status', (store, turn) => store.list(`wh_${turn}`, { status: 503 }, page)],
  ['of an outcome', (store, turn) => store.list(`wh_${turn}`, { outcome: 'failed' }, page)],
  ['of an event', (store, turn) => store.list(`wh_${turn}`, { event: 'action 3' }, page)],
  ['of a time', (store, turn) => store.list(`wh_${turn}`, { since: BEGIN + 400_000, until: BEGIN + 500_000 }, page)],
  ['one message', (store, turn) => store.find(`wh_${turn}`, `msg_${turn + SUBJECTS}`)],
  ['a purge of 1000 by age', (store, turn) => store.purge(BEGIN + (turn + 1) * 1000)],
  ['an endpoint held to its number, 100 removed', (store, turn) => store.trim(`wh_${turn + 50}`, 9_800)]
]

async function measure(rounds: number): Promise<string[]> {
  const lines: string[] = []
  for (const engine of [sqlite(), await postgres()]) {
    if (engine === null) continue
    try {
      lines.push(...(await measureOn(engine, rounds)), '')
    } finally {
      await engine.close()
    }
  }
  return lines
}

async function measureOn(engine: Engine, rounds: number): Promise<string[]> {
  const sent: string[] = []
  const fastify = await durableApp(await engine.fresh(), (text) => void sent.push(text))
  const { store } = fastify.stores.select(historyStore, 'auto')
  if (store === null) throw new Error('no history')
  const run = (text: string) => fastify.sqlorm.kysely().executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))
  await fill(store, run, engine)
  const lines = [`| ${ROWS} attempts on ${engine.name} | ms | least - most | by index |`, '|---|---:|---:|---|']
  for (const [name, call] of cases) {
    await call(store, 0)
    const took: number[] = []
    sent.length = 0
    for (let turn = 1; turn <= rounds; turn += 1) {
      const began = performance.now()
      await call(store, turn)
      took.push(performance.now() - began)
    }
    const statements = new Set(sent.filter((text) => /^(?:select|delete)/.test(text)))
    const plans = await Promise.all([...statements].map((text) => planOf(fastify, engine, text)))
    const spread = `${Math.min(...took).toFixed(2)} - ${Math.max(...took).toFixed(2)}`
    lines.push(`| ${name} | ${median(took).toFixed(2)} | ${spread} | ${indexesOf(plans.join('\n'))} |`)
  }
  await fastify.close()
  return lines
}

/** One entry by the store, so that its form is the store's; the others are copies of it. */
async function fill(store: HistoryStore, run: (text: string) => Promise<unknown>, engine: Engine): Promise<void> {
  await store.append([anEntry({ id: 'dlv_model', endpointId: 'wh_model', ts: BEGIN })])
  const values: Readonly<Record<string, string>> = {
    id: `'dlv_' || i`,
    endpointId: `'wh_' || (i % ${SUBJECTS})`,
    ts: `${BEGIN} + i`,
    messageId: `'msg_' || i`,
    type: `'action ' || (i / ${SUBJECTS} % 7)`,
    status: `case when i / ${SUBJECTS} % 200 = 0 then 503 else 200 end`,
    outcome: `case when i / ${SUBJECTS} % 200 = 0 then 'failed' else 'delivered' end`
  }
  const numbers =
    engine.name === 'SQLite'
      ? `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})`
      : `with n(i) as (select generate_series(1, ${ROWS}))`
  const columns = await columnsOf(run, engine)
  const names = columns.map((name) => `"${name}"`).join()
  const selected = columns.map((name) => values[name] ?? `model."${name}"`).join()
  await run(
    `${numbers} insert into ${TABLE} (${names}) select ${selected} from n, ${TABLE} as model where model.id = 'dlv_model'`
  )
  await run(`delete from ${TABLE} where id = 'dlv_model'`)
  await run(`analyze ${TABLE}`)
}

async function columnsOf(run: (text: string) => Promise<unknown>, engine: Engine): Promise<string[]> {
  const text =
    engine.name === 'SQLite'
      ? `select name from pragma_table_info('${TABLE}')`
      : `select column_name as name from information_schema.columns where table_name = '${TABLE}'`
  const { rows } = (await run(text)) as { rows: { name: string }[] }
  return rows.map(({ name }) => name)
}

/** As the server plans a statement whatever its parameters are. */
async function planOf(fastify: FastifyInstance, engine: Engine, text: string): Promise<string> {
  const db = fastify.sqlorm.kysely()
  if (engine.name === 'SQLite') {
    const { rows } = await db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text}`))
    return rows.map(({ detail }) => detail).join('\n')
  }
  return db.connection().execute(async (connection) => {
    const query = async (statement: string) =>
      (await connection.executeQuery<Record<string, string>>(CompiledQuery.raw(statement))).rows
    await query('set plan_cache_mode = force_generic_plan')
    await query(`prepare looked_at as ${text}`)
    const parameters = [...new Set(text.match(/\$\d+/g))].map(() => 'null').join()
    const rows = await query(`explain execute looked_at${parameters === '' ? '' : `(${parameters})`}`)
    await query('deallocate looked_at')
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

/** What a plan reads; a scan of all rows is named as such. */
function indexesOf(plan: string): string {
  const used = new Set(plan.match(/svc_webhook_history_\w+|\bSeq Scan\b|\bSCAN svc_webhook_history$/gm))
  return [...used].map((index) => `\`${index.replace(`${TABLE}_`, '')}\``).join(' ')
}

export const million: Measurement = { name: 'million', measure }
