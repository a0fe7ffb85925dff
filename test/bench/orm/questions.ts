/**
 * What finds ask of related rows, beside the statement that one would write by hand with Kysely on the same connection:
 * measures as criteria, orders by a related row, numbers of related rows, the first of each; and fields beside fields, distinct
 * counts and paths in JSON. Interleaved rounds, medians of CPU time where the database is in the process;
 * prints a Markdown table.
 *
 *   npm run bench -- questions                               SQLite, 9 rounds
 *   npm run bench -- questions 9 postgres://user@host/db     PostgreSQL, on an empty database
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { CompiledQuery } from 'kysely'
import svcOrm, { defineEntity } from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import { cpu, wall } from '../measured/clock.ts'
import { compare, type Work } from './compare.ts'

const rounds = Number(process.argv[2] ?? 9)
const url = process.argv[3]
const isSqlite = url === undefined
const CUSTOMERS = 2000
const ORDERS = 40_000

const Customer = defineEntity({
  name: 'Customer',
  schema: { name: { type: 'string' }, city: { type: 'string' } },
  relations: { orders: { type: 'one-to-many', target: 'Purchase', mappedBy: 'customer' } },
  indexes: [{ fields: ['city'] }]
})
const Purchase = defineEntity({
  name: 'Purchase',
  schema: {
    ...{ placed: { type: 'integer' }, total: { type: 'integer' }, paid: { type: 'integer' } },
    origin: { type: 'json' }
  },
  relations: { customer: { type: 'many-to-one', target: 'Customer' } },
  indexes: [{ fields: ['placed'] }, { fields: ['customerId', 'placed'] }]
})

type Row = Record<string, unknown>

const folder = mkdtempSync(join(tmpdir(), 'svc-questions-'))
const fastify = Fastify()
try {
  await fastify.register(svcOrm, { parts: { entities: [Customer, Purchase] } })
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

async function fill(): Promise<void> {
  const customers = await fastify.orm
    .repository(Customer)
    .createMany(
      Array.from({ length: CUSTOMERS }, (_, n) => ({ name: `c${(n * 7919) % CUSTOMERS}`, city: `t${n % 100}` }))
    )
  const orders = Array.from({ length: ORDERS }, (_, n) => ({
    ...{ placed: (n * 7919) % ORDERS, total: n % 100, paid: n % 90, origin: { shop: { code: `s${n % 50}` } } },
    customerId: customers[n % CUSTOMERS]?.id ?? ''
  }))
  await fastify.orm.repository(Purchase).createMany(orders)
  await fastify.sqlorm.kysely().executeQuery(CompiledQuery.raw(isSqlite ? 'analyze' : 'vacuum analyze'))
}

function cases(): readonly (readonly [name: string, calls: number, ours: Work, hand: Work])[] {
  const [customers, purchases] = [fastify.orm.repository(Customer), fastify.orm.repository('Purchase')]
  const db = fastify.sqlorm.kysely()
  const ask = async (text: string, ...values: unknown[]) => {
    const numbered = isSqlite ? text : values.reduce<string>((all, _, place) => all.replace('?', `$${place + 1}`), text)
    return (await db.executeQuery<Row>(CompiledQuery.raw(numbered, values))).rows
  }
  const some = (ids: readonly unknown[]) => (isSqlite ? JSON.stringify(ids) : ids)
  const among = isSqlite ? 'in (select value from json_each(?))' : '= any(?)'
  const bounds = (round: number) => [(round * 10) % (ORDERS - 2000), ((round * 10) % (ORDERS - 2000)) + 2000]
  const within = (round: number) => ({ $gte: bounds(round)[0], $lt: bounds(round)[1] })
  const atShop = isSqlite ? `origin ->> '$.shop.code'` : `origin #>> '{shop,code}'`
  const city = (round: number) => `t${round % 100}`
  const list = (round: number) => ask('select id, name, city from customer where city = ? order by id', city(round))
  return [
    [
      'customers of a city with at least 20 orders',
      500,
      (round) => customers.find({ city: city(round), orders: { $count: { $gte: 20 } } } as never),
      (round) =>
        ask(
          `select id, name, city from customer c where city = ?
          and (select count(*) from purchase p where p."customerId" = c.id) >= ? order by id`,
          ...[city(round), 20]
        )
    ],
    [
      'customers of a city by the sum of their orders above 50',
      100,
      (round) =>
        customers.find({ city: city(round), orders: { total: { $gt: 50 }, $sum: { paid: { $lt: 500 } } } } as never),
      (round) =>
        ask(
          `select id, name, city from customer c where city = ? and coalesce(
          (select sum(paid) from purchase p where p."customerId" = c.id and p.total > ?), 0) < ? order by id`,
          ...[city(round), 50, 500]
        )
    ],
    [
      '100 orders by the name of their customer, of 1000',
      20,
      (round) => {
        const order = [['customer.name', 'ASC']] as const
        return purchases.find({ placed: { $gte: round * 10, $lt: round * 10 + 1000 } }, { order, limit: 100 })
      },
      (round) =>
        ask(
          `select p.id, p.placed, p.total, p.paid, p.origin, p."customerId" from purchase p
          left join customer c on c.id = p."customerId" where p.placed >= ? and p.placed < ?
          order by c.name ${isSqlite ? '' : 'nulls first'}, p.id limit 100`,
          ...[round * 10, round * 10 + 1000]
        )
    ],
    [
      'customers of a city with the number of their orders',
      100,
      (round) => customers.find({ city: city(round) }, { counts: { orders: true } } as never),
      async (round) => {
        const own = '(select count(*) from purchase p where p."customerId" = c.id)'
        // SQLite counts by row in half the time, PostgreSQL in twice the time.
        if (isSqlite) {
          const all = await ask(
            `select id, name, city, ${own} as n from customer c where city = ? order by id`,
            city(round)
          )
          return all.map(({ n, ...row }) => ({ ...row, counts: { orders: n } }))
        }
        const rows = await list(round)
        const text = `select "customerId" as id, count(*) as n from purchase where "customerId" ${among} group by "customerId"`
        const counts = new Map((await ask(text, some(rows.map(({ id }) => id)))).map(({ id, n }) => [id, Number(n)]))
        return rows.map((row) => ({ ...row, counts: { orders: counts.get(row.id) ?? 0 } }))
      }
    ],
    [
      'customers of a city with their newest three orders',
      100,
      (round) => {
        const include = { orders: { order: [['placed', 'DESC']], limit: 3 } }
        return customers.find({ city: city(round) }, { include } as never)
      },
      async (round) => {
        const rows = await list(round)
        const text = `select id, placed, total, paid, origin, "customerId" from (select p.*, row_number()
          over (partition by "customerId" order by placed desc, id) as n from purchase p where "customerId" ${among}) as r
          where n <= 3 order by placed desc, id`
        const byId = new Map(rows.map(({ id }): [unknown, Row[]] => [id, []]))
        for (const order of await ask(text, some(rows.map(({ id }) => id)))) byId.get(order.customerId)?.push(order)
        return rows.map((row) => ({ ...row, orders: byId.get(row.id) }))
      }
    ],
    [
      'how many of 2000 orders are paid in part, field against field',
      50,
      (round) => purchases.count({ placed: within(round), paid: { $field: { $lt: 'total' } } } as never),
      (round) =>
        ask('select count(*) from purchase where placed >= ? and placed < ? and paid < total', ...bounds(round))
    ],
    [
      'different customers of 2000 orders, by what they paid',
      20,
      (round) => {
        const measures = { customers: { countDistinct: 'customerId' } } as const
        return purchases.groupBy({ placed: within(round) }, { by: ['paid'], measures } as never)
      },
      (round) =>
        ask(
          `select paid, count(distinct "customerId") from purchase where placed >= ? and placed < ? group by paid order by paid`,
          ...bounds(round)
        )
    ],
    [
      'how many of 2000 orders come from a shop, by a path in JSON',
      20,
      (round) => purchases.count({ placed: within(round), 'origin.shop.code': `s${round % 50}` } as never),
      (round) =>
        ask(
          `select count(*) from purchase where placed >= ? and placed < ? and ${atShop} = ?`,
          ...[...bounds(round), `s${round % 50}`]
        )
    ]
  ]
}
