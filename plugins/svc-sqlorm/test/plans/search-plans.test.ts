/** How finds by words are planned over 20 000 tickets, on both engines: by the index of words, never row by row. */
import { CompiledQuery, type Kysely } from 'kysely'
import { type AnyRow, defineEntity, type Repository } from 'svc-orm'
import t, { type Test } from 'tap'
import { queriesOf } from '../support/entries-read.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

t.setTimeout(120_000)

const TICKETS = 20_000

const TICKET = defineEntity({
  name: 'Ticket',
  schema: { subject: { type: 'string' }, body: { type: 'text' } },
  relations: { parent: { type: 'many-to-one', target: 'Ticket', nullable: true } },
  search: [{ field: 'subject', weight: 3 }, 'body']
})

const RANKED = { order: [['$rank', 'DESC']], limit: 20 } as never

const SHAPES: readonly (readonly [name: string, work: (tickets: Repository) => Promise<unknown>])[] = [
  ['words', (tickets) => tickets.find({ $search: 'mend 77' })],
  ['a prefix', (tickets) => tickets.find({ $search: 'chair77*' })],
  ['words by rank', (tickets) => tickets.find({ $search: 'mend 77' }, RANKED)],
  ['a count', (tickets) => tickets.count({ $search: 'chair77' })],
  ['words or an id', (tickets) => tickets.find({ $or: [{ $search: 'chair77' }, { id: 'none' }] })],
  ['words of another row', (tickets) => tickets.find({ parent: { $search: 'chair77' } })],
  ['a change', (tickets) => tickets.updateMany({ $search: 'chair77' }, { subject: 'Sold' })],
  ['a deletion', (tickets) => tickets.delete({ $search: 'chair77' })]
]

async function ticketsOn(t: Test, url: string) {
  const { fastify } = await sqlApp(t, url, { entities: [TICKET] })
  await fastify.ready()
  const db = fastify.sqlorm.kysely<unknown>()
  const tickets = fastify.orm.repository('Ticket') as Repository
  let parents: readonly AnyRow[] = []
  for (let begin = 0; begin < TICKETS; begin += 1000) {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      parentId: parents[index]?.id ?? null,
      subject: `How to mend ${begin + index}`,
      body: `The chair${begin + index} and its legs`
    }))
    parents = await tickets.createMany(rows)
  }
  return { db, tickets }
}

async function planned(
  t: Test,
  { db, tickets }: Awaited<ReturnType<typeof ticketsOn>>,
  explain: string,
  byIndex: RegExp,
  byRow: RegExp
) {
  await db.executeQuery(CompiledQuery.raw(explain === 'explain' ? 'vacuum analyze' : 'analyze'))
  for (const [name, work] of SHAPES) {
    const queries = await queriesOf(() => work(tickets), false)
    const plans = await Promise.all(queries.map((query) => planOf(db, `${explain} ${query.sql}`, query.parameters)))
    const plan = plans.find((each) => byIndex.test(each)) ?? plans.join('\n')
    t.match(plan, byIndex, name)
    t.notMatch(plan, byRow, name)
  }
}

async function planOf(db: Kysely<unknown>, text: string, parameters: readonly unknown[]): Promise<string> {
  const { rows } = await db.executeQuery<object>(CompiledQuery.raw(text, [...parameters]))
  return rows.map((row) => Object.values(row).join(' ')).join('\n')
}

t.test('SQLite', async (t) => {
  const kept = await ticketsOn(t, `sqlite:${temporaryFolder(t)}/tickets.db`)
  await planned(t, kept, 'explain query plan', /SCAN ticket_\w+_idx VIRTUAL TABLE INDEX 0:M/, /SCAN ticket(?!_)/)
})

await onPostgres(async (t, server) => {
  const kept = await ticketsOn(t, await server.createDatabase())
  await kept.tickets.find({ $search: 'mend 77' }, { limit: 20 })
  const asked = CompiledQuery.raw('select statement from pg_prepared_statements')
  const { rows } = await kept.db.executeQuery<{ readonly statement: string }>(asked)
  const prepared = rows.map(({ statement }) => statement).join('\n')
  t.match(prepared, /insert into "ticket"/, 'statements are prepared')
  t.notMatch(prepared, /tsquery/, 'but for those whose plan the words decide')
  await planned(
    t,
    kept,
    'explain',
    /Bitmap Index Scan on "?ticket_subjectWords_bodyWords_\w+_idx/,
    /Seq Scan on ticket\b(?! ticket)/
  )
})
