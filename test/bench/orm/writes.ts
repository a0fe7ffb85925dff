/**
 * Arithmetic in updates, upserts that change rows, many rows with values of their own, and groups by month and by a related
 * row, beside the same statements by hand with Kysely on the same connection. Interleaved rounds, medians of CPU time where the database is in the process; prints a Markdown table.
 *
 *   npm run bench -- writes                            SQLite, 9 rounds
 *   npm run bench -- writes 9 postgres://user@host/db  PostgreSQL, on an empty database
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { type Kysely, sql } from 'kysely'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import { cpu, wall } from '../measured/clock.ts'
import { compare, type Work } from './compare.ts'

const rounds = Number(process.argv[2] ?? 9)
const url = process.argv[3]
const isSqlite = url === undefined
const ROWS = 50_000
const SHOPS = 10

const MANY = 1000

const Region = defineEntity({ name: 'Region', schema: { country: { type: 'string' } } })

const Sale = defineEntity({
  name: 'Sale',
  schema: {
    code: { type: 'string', unique: true },
    shop: { type: 'string' },
    at: { type: 'date' },
    price: { type: 'decimal', scale: 2 },
    stock: { type: 'integer' }
  },
  relations: { region: { type: 'many-to-one', target: 'Region', nullable: true } },
  indexes: [{ fields: ['shop'] }, { fields: ['at'] }]
})

/** Calls of one round, and what they do by the repository and by hand. */
type Case = readonly [name: string, calls: number, ours: Work, byHand: Work]

const folder = mkdtempSync(join(tmpdir(), 'svc-writes-'))
const fastify = Fastify()
try {
  await fastify.register(svcOrm, { parts: { entities: [Region, Sale] } })
  const connector = isSqlite ? { url: `sqlite:${folder}/rows.db`, synchronous: 'normal' as const } : { url }
  await fastify.register(svcSqlorm, { connectors: { default: connector } })
  await fastify.ready()
  const countries = Array.from({ length: 100 }, (_, n) => ({ country: `C${n % 20}` }))
  const regions = await fastify.orm.repository(Region).createMany(countries)
  const rows = Array.from({ length: ROWS }, (_, n) => ({
    ...{ ...saleOf(n), price: `${(n % 900) + 1}.25`, stock: 1000 },
    regionId: regions[n % regions.length]?.id ?? null
  }))
  const ids = (await fastify.orm.repository(Sale).createMany(rows)).map(({ id }) => id)
  process.stdout.write(`\nNode ${process.versions.node}, ${isSqlite ? 'SQLite' : 'PostgreSQL'}, ${ROWS} rows\n\n`)
  process.stdout.write('| case | by hand, us | svc, us | ratio | budget |\n|---|---:|---:|---:|---:|\n')
  const clock = isSqlite ? cpu : wall
  for (const [name, calls, ours, hand] of cases(ids))
    if (calls > 0) await compare(name, ours, hand, { calls, rounds, clock })
} finally {
  await fastify.close()
  rmSync(folder, { recursive: true, force: true })
}

function saleOf(n: number) {
  return { code: `c${n}`, shop: `s${n % SHOPS}`, at: new Date(Date.UTC(2024, 0, 1) + n * 1_000_000) }
}

function cases(ids: readonly string[]): readonly Case[] {
  const sales = fastify.orm.repository(Sale)
  const db = fastify.sqlorm.kysely()
  const idOf = (n: number) => ids[(n * 7919) % ids.length] ?? ''
  const columns = sql.raw('"id", "code", "shop", "at", cast("price" as text) as "price", "stock", "regionId"')
  const own = sql.raw('sale."id", "code", "shop", "at", cast("price" as text) as "price", "stock", "regionId"')
  const some = (n: number) => Array.from({ length: MANY }, (_, place) => idOf(n * MANY + place))
  const product = isSqlite ? sql`cast(round(price * 1.01) as integer)` : sql`round(price * 1.01)`
  const month = isSqlite
    ? sql`strftime('%Y-%m', "at" / 1000, 'unixepoch')`
    : sql`to_char("at" at time zone 'Europe/Berlin', 'YYYY-MM')`
  const zone = isSqlite ? 'UTC' : 'Europe/Berlin'
  const measures = { sum: { sum: 'price' }, rows: { count: true } } as const
  const sums = sql`cast(sum("price") as text) as "sum", count(*) as "rows"`
  // Shops and times stay as they are: other cases find rows by them.
  const upserted = (n: number) => ({ ...saleOf(n % ROWS), price: '1.00', stock: 1 })
  return [
    [
      'updateMany, price times 1.01, 5000 rows',
      3,
      (n) => sales.updateMany({ shop: `s${n % SHOPS}` }, { price: { $mul: n % 2 === 0 ? '1.01' : '0.99' } }),
      (n) => sql`update sale set price = ${product} where shop = ${`s${n % SHOPS}`}`.execute(db)
    ],
    [
      'updateOne, stock less 1',
      2000,
      (n) => sales.updateOne({ id: idOf(n) }, { stock: { $sub: 1 } }),
      (n) => sql`update sale set stock = stock - ${1} where id = ${idOf(n)} returning ${columns}`.execute(db)
    ],
    [
      'upsert that changes, by a unique code',
      2000,
      (n) => sales.upsert({ code: `c${n % ROWS}` }, upserted(n), { update: { stock: { $add: 1 } } }),
      (n) => {
        const { code, shop, at, stock } = upserted(n)
        const moment = isSqlite ? at.getTime() : at
        return sql`insert into sale (id, code, shop, "at", price, stock)
          values (${crypto.randomUUID()}, ${code}, ${shop}, ${moment}, ${100}, ${stock})
          on conflict (code) do update set stock = sale.stock + ${1} returning ${columns}`.execute(db)
      }
    ],
    [
      `updateEach, ${MANY} rows`,
      3,
      (n) => sales.updateEach(some(n).map((id, place) => ({ id, price: `${place}.50`, stock: place }))),
      (n) =>
        inBatches(some(n), async (tx, ids, first) => {
          const given = ids.map((id, place) => [id, (first + place) * 100 + 50, first + place] as const)
          const taken = sql`price = given.column2, stock = given.column3`
          await sql`update sale set ${taken} from ${givenRows(given)} where sale.id = given.column1 returning ${own}`.execute(
            tx
          )
        })
    ],
    [
      `upsertMany that changes, ${MANY} rows`,
      3,
      (n) =>
        sales.upsertMany(
          some(n).map((_, place) => upserted(n * MANY + place)),
          { on: ['code'], update: true }
        ),
      (n) =>
        inBatches(some(n), async (tx, ids, first) => {
          const rows = ids.map((_, place) => upserted(n * MANY + first + place))
          const values = rows.map(({ code, shop, at, stock }) => {
            return sql`(${crypto.randomUUID()}, ${code}, ${shop}, ${isSqlite ? at.getTime() : at}, ${100}, ${stock})`
          })
          await sql`insert into sale (id, code, shop, "at", price, stock) values ${sql.join(values)}
            on conflict (code) do update set shop = excluded.shop, "at" = excluded."at", price = excluded.price,
            stock = excluded.stock returning ${columns}`.execute(tx)
        })
    ],
    [
      'groupBy a field of a related row',
      3,
      () => sales.groupBy({}, { by: ['region.country'], measures }),
      () =>
        sql`select country, ${sums} from sale left join region on region.id = sale."regionId"
        group by country order by country`.execute(db)
    ],
    [
      'find with a running total, 5000 rows',
      3,
      (n) => sales.find({ shop: `s${n % SHOPS}` }, { order: [['at', 'ASC']], running: { soFar: { sum: 'price' } } }),
      (n) =>
        sql`select ${columns}, cast(sum(price) over (order by "at", id) as text) as "soFar" from sale
        where shop = ${`s${n % SHOPS}`} order by "at", id`.execute(db)
    ],
    [
      'page at depth with a running total',
      3,
      () =>
        sales.find({}, { order: [['at', 'ASC']], running: { soFar: { sum: 'price' } }, offset: ROWS / 2, limit: 50 }),
      () =>
        sql`select ${columns}, cast(sum(price) over (order by "at", id) as text) as "soFar" from sale
        order by "at", id limit 50 offset ${ROWS / 2}`.execute(db)
    ],
    [
      `groupBy month in ${zone}`,
      3,
      () => sales.groupBy({}, { by: [{ month: 'at', zone }], measures }),
      () => sql`select ${month} as "month", ${sums} from sale group by 1 order by 1`.execute(db)
    ],
    [
      'the same, with having',
      3,
      () => sales.groupBy({}, { by: [{ month: 'at', zone }], measures, having: { rows: { $gt: 2000 } } }),
      () =>
        sql`select ${month} as "month", ${sums} from sale group by 1 having count(*) > ${2000} order by 1`.execute(db)
    ],
    [
      'groupBy month in Europe/Berlin, SQLite by hand in UTC',
      isSqlite ? 3 : 0,
      () => sales.groupBy({}, { by: [{ month: 'at', zone: 'Europe/Berlin' }], measures }),
      () => sql`select ${month} as "month", ${sums} from sale group by 1 order by 1`.execute(db)
    ]
  ]
}

type Given = readonly (readonly [id: string, price: number, stock: number])[]

/** As one would write them: a list of values, or one array per column. */
function givenRows(given: Given) {
  if (isSqlite) {
    const values = given.map((row) => sql`(${sql.join(row.map((value) => sql`${value}`))})`)
    return sql`(values ${sql.join(values)}) as given`
  }
  const [ids, prices, stocks] = [0, 1, 2].map((place) => given.map((row) => row[place]))
  return sql`unnest(${ids}::text[], ${prices}::bigint[], ${stocks}::bigint[]) as given(column1, column2, column3)`
}

/** A hundred rows in a statement of SQLite, all in one of PostgreSQL, in one transaction. */
function inBatches(
  ids: readonly string[],
  write: (tx: Kysely<unknown>, ids: readonly string[], first: number) => Promise<void>
): Promise<void> {
  const size = isSqlite ? 100 : ids.length
  return fastify.sqlorm
    .kysely<unknown>()
    .transaction()
    .execute(async (tx) => {
      for (let first = 0; first < ids.length; first += size) await write(tx, ids.slice(first, first + size), first)
    })
}
