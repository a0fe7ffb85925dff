/** What finds of one organisation of twenty read of 40 000 invoices, counted on both engines: a few entries of an index. */
import { CompiledQuery } from 'kysely'
import { defineEntity, type Repository } from 'svc-orm'
import t, { type Test } from 'tap'
import { type EntriesRead, queriesOf, readOnPostgres, readOnSqlite } from '../support/entries-read.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

t.setTimeout(240_000)

const INVOICE = defineEntity({
  name: 'Invoice',
  scope: 'organization',
  schema: { number: { type: 'string', unique: true }, state: { type: 'string' }, rank: { type: 'integer' } },
  indexes: [{ fields: ['rank'] }, { fields: ['state'] }]
})

const padded = { sqlite: `printf('%012d', n)`, postgres: `lpad(n::text, 12, '0')` } as const
const numbers = {
  sqlite: 'with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 39999)',
  postgres: 'with numbers as (select generate_series(0, 39999) as n)'
} as const

type Engine = 'sqlite' | 'postgres'

const ID = '01890000-0000-7000-8000-000000000007'
/** Of an index and of its table, where it does not have all columns. */
const TEN = 21

const SHAPES: readonly (readonly [name: string, work: (invoices: Repository) => Promise<unknown>, most: number])[] = [
  ['by id', (invoices) => invoices.findOne({ id: ID }), 1],
  ['by id, of another organisation', (invoices) => invoices.findOne({ id: ID.replace(/7$/, '8') }), 1],
  ['by a unique field', (invoices) => invoices.findOne({ number: 'n7' }), 2],
  ['the first ten', (invoices) => invoices.find({}, { limit: 10 }), TEN],
  ['ten by rank', (invoices) => invoices.find({}, { order: [['rank', 'DESC']], limit: 10 } as never), TEN],
  ['ten of a rank', (invoices) => invoices.find({ rank: { $gte: 20_000 } }, byRank), TEN],
  ['of a state', (invoices) => invoices.count({ state: 'open' }), TEN],
  ['a change by a unique field', (invoices) => invoices.updateOne({ number: 'n7' }, { rank: 8 }), 4],
  ['a removal by id', (invoices) => invoices.deleteOne({ id: ID }), 2]
]

const byRank = { order: [['rank', 'ASC']], limit: 10 } as never

async function invoicesOn(t: Test, url: string, engine: Engine) {
  const { fastify } = await sqlApp(t, url, { entities: [INVOICE] })
  await fastify.ready()
  const db = fastify.sqlorm.kysely<unknown>(undefined, { acrossScopes: true })
  const state = `case when n % 4000 = 7 then 'open' else 'shut' end`
  const values = `'01890000-0000-7000-8000-' || ${padded[engine]}, 'n' || (n / 20 * 20 + 7), ${state}, n, 'o' || (n % 20)`
  const rows = `${numbers[engine]} select ${values} from numbers`
  const columns = 'id, number, state, rank, "organizationId"'
  await db.executeQuery(CompiledQuery.raw(`insert into invoice (${columns}) ${rows}`))
  await db.executeQuery(CompiledQuery.raw(engine === 'postgres' ? 'vacuum analyze' : 'analyze'))
  const within = <T>(work: () => Promise<T>) => fastify.orm.withScope({ organization: 'o7' }, work)
  return { db, within, invoices: fastify.orm.repository('Invoice') as Repository }
}

async function plans(
  t: Test,
  { within, invoices }: Awaited<ReturnType<typeof invoicesOn>>,
  entriesRead: EntriesRead
): Promise<void> {
  for (const [name, work, most] of SHAPES) {
    const queries = await queriesOf(() => within(() => work(invoices)), false)
    let entries = 0
    for (const query of queries) entries += await entriesRead(query)
    t.ok(queries.length > 0 && entries <= most, `${name}: ${entries} entries, at most ${most}`)
  }
}

t.test('SQLite', async (t) => {
  const file = `${temporaryFolder(t)}/invoices.db`
  const kept = await invoicesOn(t, `sqlite:${file}`, 'sqlite')
  const { entriesRead, close } = readOnSqlite(file)
  t.teardown(close)
  await plans(t, kept, entriesRead)
})

await onPostgres(async (t, server) => {
  const kept = await invoicesOn(t, await server.createDatabase(), 'postgres')
  await plans(t, kept, readOnPostgres(kept.db, { work_mem: '1MB' }))
})
