/**
 * What each shape of page, criterion, relation, include and count reads of 100 000 rows, counted on both engines beside a
 * bound that is written by hand: what the answer takes, and a little more.
 */
import { CompiledQuery, type Kysely } from 'kysely'
import type { AnyRow, Repository } from 'svc-orm'
import t, { type Test } from 'tap'
import { type EntriesRead, queriesOf, readOnPostgres, readOnSqlite } from '../support/entries-read.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  CUSTOMER,
  CUSTOMERS,
  fillShop,
  OF_A_STATE,
  OF_NO_CUSTOMER,
  PARCEL,
  PURCHASE,
  PURCHASES,
  WITHOUT
} from './shop.ts'

t.setTimeout(300_000)

interface Shop {
  readonly purchases: Repository
  readonly customers: Repository
  readonly parcels: Repository
  readonly db: Kysely<unknown>
  readonly engine: 'sqlite' | 'postgres'
  /** Of all statements that some work sends. */
  readonly read: (work: () => Promise<unknown>) => Promise<number>
  /** The same, without doing it. */
  readonly foreseen: (work: () => Promise<unknown>) => Promise<number>
  readonly entriesRead: EntriesRead
}

type Order = readonly (readonly [field: string, direction: 'ASC' | 'DESC'])[]

type Shape = readonly [name: string, work: (shop: Shop) => Promise<unknown>, most: number, onSqlite?: number]

const PAGE = 20
const UNINDEXED = ['city', 'code'].map((field) => [field, 'ASC'])
const DEPTHS = [0, 50_000, 99_000]

/** One index has each of them from its first key to `id`. */
const INDEXED: readonly Order[] = [
  [],
  [['id', 'DESC']],
  [['placed', 'DESC']],
  [['placed', 'ASC']],
  // 50 000 rows are level.
  [['shipped', 'DESC']],
  [['shipped', 'ASC']],
  [
    ['state', 'DESC'],
    ['placed', 'DESC']
  ],
  [['number', 'DESC']],
  // An index has the first key; ten rows are level in it.
  [
    ['placed', 'DESC'],
    ['number', 'ASC']
  ],
  [
    ['placed', 'DESC'],
    ['id', 'ASC']
  ],
  [
    ['placed', 'ASC'],
    ['state', 'DESC']
  ]
]

const TURNED: Order = [
  ['state', 'DESC'],
  ['placed', 'ASC']
]

async function placeAt({ purchases }: Shop, order: Order, offset: number): Promise<string> {
  const [row] = (await purchases.find({}, { order, offset, limit: 1 } as never)) as AnyRow[]
  const ties = order.some(([field]) => field === 'id') ? [] : [['id', order.at(-1)?.[1] ?? 'ASC'] as const]
  const keys = [...order, ...ties]
  const place = { by: keys.map((key) => key.join(' ')), at: keys.map(([field]) => row?.[field] as unknown) }
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

async function readAt(shop: Shop, order: Order, depth: number, criteria: object = {}): Promise<number> {
  const after = await placeAt(shop, order, depth)
  return shop.read(() => shop.purchases.page({ ...criteria }, { order, limit: PAGE, after } as never))
}

const number = (n: number) => `p${String(n).padStart(12, '0')}`
const id = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
/** Ten rows are level, which `find` puts in order by themselves. */
const newest = { order: [['placed', 'DESC']] as Order, limit: PAGE }

const CRITERIA: readonly Shape[] = [
  ['an id', ({ purchases }) => purchases.findOne({ id: id(7) }), 1],
  ['a unique value', ({ purchases }) => purchases.findOne({ number: number(7) }), 1],
  ['some of them', ({ purchases }) => purchases.find({ number: Array.from({ length: 30 }, (_, n) => number(n)) }), 31],
  ['a range', ({ purchases }) => purchases.find({ placed: { $gte: 5000, $lt: 5002 } }), 21],
  ['the newest of a range', ({ purchases }) => purchases.find({ placed: { $lt: 5000 } }, newest as never), PAGE + 11],
  ['null', ({ purchases }) => purchases.find({ note: null }), 101],
  [
    'the newest that hold something',
    ({ purchases }) => purchases.find({ note: { $ne: null } }, newest as never),
    2 * PAGE
  ],
  ['the newest of a state', ({ purchases }) => purchases.find({ state: 's3' }, newest as never), 5 * PAGE],
  ['all but one state, newest', ({ purchases }) => purchases.find({ state: { $ne: 's3' } }, newest as never), 2 * PAGE],
  ['alternatives', ({ purchases }) => purchases.find({ $or: [{ number: number(7) }, { placed: 7 }] }), 12],
  ['whether one is there', ({ purchases }) => purchases.exists({ state: 's3' }), 20],
  ['a count of few', ({ purchases }) => purchases.count({ placed: 7 }), 11],
  ['a count of a fifth', ({ purchases }) => purchases.count({ state: 's3' }), PURCHASES],
  ['groups of few', ({ purchases }) => purchases.groupBy({ placed: 7 }, { by: ['state'] } as never), 11],
  [
    'months of few, of many rows',
    ({ purchases }) => {
      const measures = { rows: { count: true } } as const
      const by = [{ month: 'at', zone: 'UTC' }]
      return purchases.groupBy({ placed: 7 }, { by, measures, having: { rows: { $gt: 5 } } } as never)
    },
    11
  ],
  [
    'few by the city of their customer',
    ({ purchases }) => {
      const measures = { rows: { count: true }, cities: { countDistinct: 'state' } } as const
      return purchases.groupBy({ placed: 7 }, { by: ['customer.city'], measures } as never)
    },
    2 * 10 + 1
  ],
  [
    'a page with a running total: the page, and what is before it as one sum',
    ({ purchases }) => {
      const running = { soFar: { sum: 'placed' } }
      const range = { placed: { $gte: 5000, $lt: 5010 } }
      return purchases.find(range, { order: [['placed', 'ASC']], running, offset: 50, limit: PAGE } as never)
    },
    50 + PAGE + 10 + 50 + PAGE,
    // Each of the two reads the range at most.
    2 * 100
  ],
  [
    'a field beside another one',
    ({ purchases }) => purchases.find({ placed: 7, state: { $field: { $lt: 'note' } } }),
    11
  ]
]

/** No index holds what is at a path: an index of another criterion is used, else all rows are read once. */
const PATHS: readonly Shape[] = [
  ['few by a number', ({ parcels }) => parcels.find({ packed: 7, 'label.weight': { $gt: 3 } }), 11],
  ['few by what is not there', ({ parcels }) => parcels.find({ packed: 7, 'label.note': null }), 11],
  [
    'few in the order of a path',
    ({ parcels }) => parcels.find({ packed: 7 }, { order: [['label.weight', 'DESC']] } as never),
    11
  ],
  [
    'the newest that a third has',
    ({ parcels }) => parcels.find({ 'label.to.country': 'c1' }, { order: [['packed', 'DESC']], limit: PAGE } as never),
    3 * PAGE + 21
  ],
  ['a count', ({ parcels }) => parcels.count({ 'label.to.country': ['c1', 'c2'] }), PURCHASES],
  [
    'of those that refer to few',
    ({ customers }) => customers.find({ city: 'city 7', parcels: { 'label.weight': 6 } } as never),
    100 * 13 + 1,
    // Those that have it are looked up once, and not of each customer.
    PURCHASES + 101
  ]
]

/** More than SQLite takes in a statement. */
const SOME = Array.from({ length: 150 }, (_, n) => 600 * n)

/** Inside a transaction, so that they are sent. */
const EACH: readonly Shape[] = [
  [
    'rows with values of their own',
    ({ purchases }) => purchases.updateEach(SOME.map((n) => ({ id: id(n), note: `own ${n}` }))),
    SOME.length
  ],
  [
    'rows that are changed by a unique key',
    ({ purchases }) => purchases.upsertMany(SOME.map(keyed), { on: ['number'], update: true } as never),
    SOME.length
  ],
  [
    'rows that are there already',
    ({ purchases }) => purchases.upsertMany(SOME.map(keyed), { on: ['number'] } as never),
    SOME.length
  ]
]

function keyed(n: number): object {
  return { number: number(n), placed: n / 10, at: new Date(n * 60_000), state: `s${n % 5}` }
}

const CHANGES: readonly Shape[] = [
  ['one to be changed', ({ purchases }) => purchases.updateOne({ number: number(7) }, { note: 'x' }), 1],
  ['few to be changed', ({ purchases }) => purchases.updateMany({ placed: 7 }, { note: 'x' }), 11],
  ['one to be counted up', ({ purchases }) => purchases.updateOne({ number: number(7) }, { placed: { $add: 1 } }), 1],
  ['few to be computed', ({ purchases }) => purchases.updateMany({ placed: 7 }, { placed: { $mul: '1.5' } }), 11],
  ['few to be deleted', ({ purchases }) => purchases.delete({ placed: { $gte: 9, $lt: 10 } }), 11]
]

const RELATED: readonly Shape[] = [
  ['of one that it refers to', ({ purchases }) => purchases.find({ 'customer.code': 'c7' }), 15],
  ['of one that refers to it', ({ customers }) => customers.find({ 'purchases.number': number(7) }), 3],
  [
    'the newest with their customers',
    ({ purchases }) => purchases.find({}, { ...newest, include: { customer: true } } as never),
    2 * PAGE + 11
  ],
  [
    'customers with their purchases',
    ({ customers }) => customers.find({}, { limit: PAGE, include: { purchases: true } } as never),
    PAGE * 13 + 1
  ],
  [
    'the newest three purchases of each customer of a page',
    ({ customers }) =>
      customers.find({}, { limit: PAGE, include: { purchases: { order: [['id', 'DESC']], limit: 3 } } } as never),
    PAGE * 7 + 1
  ],
  [
    'how many purchases each customer of a page has',
    ({ customers }) => customers.find({}, { limit: PAGE, counts: { purchases: true } } as never),
    PAGE * 13 + 1
  ],
  [
    'the same in an order that no index has: those of the page alone are counted',
    ({ customers }) => customers.find({}, { order: UNINDEXED, limit: PAGE, counts: { purchases: true } } as never),
    2 * 101 + PAGE * 13 + 1
  ],
  [
    'customers of a city with many purchases',
    ({ customers }) => customers.find({ city: 'city 7', purchases: { $count: { $gte: 11 } } } as never),
    100 * 13 + 1
  ],
  [
    'customers of a city by a sum',
    ({ customers }) => customers.find({ city: 'city 7', purchases: { $sum: { placed: { $lt: 5 } } } } as never),
    100 * 13 + 1
  ],
  [
    'customers of a city whose latest two purchases have a state',
    ({ customers }) => {
      const $latest = { order: [['id', 'DESC']], limit: 2 }
      return customers.find({ city: 'city 7', purchases: { $latest, state: 's3' } } as never)
    },
    100 * 5 + 1
  ],
  [
    'purchases of a moment by the code of their customer',
    ({ purchases }) => purchases.find({ placed: 7 }, { order: [['customer.code', 'ASC']] } as never),
    21
  ],
  [
    'few customers without purchases of a state',
    ({ customers }) => customers.find({ city: 'city 7', $not: { purchases: { state: 's3' } } }),
    100 * 13,
    // What the purchases of the state hold is looked up once, and not of each customer.
    OF_A_STATE + 101
  ],
  [
    'without purchases, or of a city',
    ({ customers }) => customers.count({ $or: [{ purchases: null }, { city: 'city 7' }] }),
    CUSTOMERS + PURCHASES
  ]
]

/** "Has none", and the same by hand. */
const NONE: readonly (readonly [name: string, work: Shape[1], answer: number, byHand: string])[] = [
  [
    'customers without purchases',
    ({ customers }) => customers.count({ purchases: { $exists: false } }),
    WITHOUT,
    `select count(*) from customer c where not exists (select 1 from purchase p where p."customerId" = c.id)`
  ],
  [
    'customers without purchases of a state',
    ({ customers }) => customers.count({ $not: { purchases: { state: 's3' } } }),
    WITHOUT + (CUSTOMERS - WITHOUT) * (4 / 5),
    `select count(*) from customer c where not exists
      (select 1 from purchase p where p."customerId" = c.id and p.state = 's3')`
  ],
  [
    'purchases of no customer',
    ({ purchases }) => purchases.count({ customer: null }),
    OF_NO_CUSTOMER,
    `select count(*) from purchase p where not exists (select 1 from customer c where c.id = p."customerId")`
  ]
]

async function shapes(t: Test, shop: Shop, given: readonly Shape[]): Promise<void> {
  for (const [name, work, some, onSqlite = some] of given) {
    const most = shop.engine === 'sqlite' ? onSqlite : some
    const entries = await shop.read(() => work(shop))
    t.ok(entries <= most, `${name}: ${entries} entries, at most ${most}`)
  }
}

async function plans(t: Test, shop: Shop): Promise<void> {
  await t.test('M4: a page of 20 reads as many entries at any depth, in any direction', async (t) => {
    for (const order of INDEXED) {
      for (const depth of DEPTHS) {
        const entries = await readAt(shop, order, depth)
        t.ok(entries <= 60, `${JSON.stringify(order)} behind ${depth}: ${entries}`)
      }
    }
    // One after the other: the database counts what it reads for all at once.
    const ofState: number[] = []
    for (const depth of DEPTHS) ofState.push(await readAt(shop, [['placed', 'DESC']], depth, { state: 's3' }))
    t.ok(Math.max(...ofState) <= 5 * PAGE + 20, `of a state: ${ofState}`)
    for (const depth of DEPTHS) {
      const entries = await readAt(shop, TURNED, depth)
      t.ok(entries <= OF_A_STATE + 1, `where the index turns, the rows that are level: ${entries}`)
    }
  })

  await t.test('M4: a stream reads its rows, and not those before each part again', async (t) => {
    const stream = async (order: Order) => {
      let rows = 0
      for await (const row of shop.purchases.stream({ state: 's3' }, { order } as never)) rows += Number(row.id !== '')
      t.equal(rows, OF_A_STATE)
    }
    for (const direction of ['ASC', 'DESC'] as const) {
      const entries = await shop.read(() => stream([['placed', direction]]))
      t.ok(entries <= PURCHASES + 1000, `${direction}: ${entries}`)
    }
  })

  await t.test('criteria and counts read what they take', (t) => shapes(t, shop, CRITERIA))

  await t.test('M8: thousands of alternatives read what each of them takes', async (t) => {
    const alternatives = Array.from({ length: 2000 }, (_, n) => ({ number: number(n), placed: { $gte: 0 } }))
    const entries = await shop.read(async () =>
      t.equal((await shop.purchases.find({ $or: alternatives })).length, alternatives.length)
    )
    t.ok(entries <= alternatives.length + 1, String(entries))
  })

  await t.test('relations read what belongs', (t) => shapes(t, shop, RELATED))

  await t.test('M5: rows that have none are found in one pass of both tables, as by hand', async (t) => {
    for (const [name, work, answer, byHand] of NONE) {
      const entries = await shop.read(async () => t.equal(await work(shop), answer, name))
      const least = await shop.entriesRead(CompiledQuery.raw(byHand))
      t.ok(entries <= least, `${name}: ${entries} entries, by hand ${least}`)
    }
  })

  await t.test('criteria on paths of JSON read what the others leave', (t) => shapes(t, shop, PATHS))

  await t.test('changes read what they change', (t) => shapes(t, { ...shop, read: shop.foreseen }, CHANGES))

  await t.test('writes of many rows look each up by its key', (t) => shapes(t, shop, EACH))
}

type Filled = Pick<Shop, 'purchases' | 'customers' | 'parcels' | 'db' | 'engine'>

async function shopOn(t: Test, url: string, engine: Shop['engine']): Promise<Filled> {
  const { fastify } = await sqlApp(t, url, { entities: [CUSTOMER, PURCHASE, PARCEL] })
  await fastify.ready()
  const db = fastify.sqlorm.kysely<unknown>()
  await fillShop(db, engine)
  const repository = (name: string) => fastify.orm.repository(name) as Repository
  const parcels = repository('Parcel')
  return { db, engine, parcels, purchases: repository('Purchase'), customers: repository('Customer') }
}

function counting(shop: Filled, entriesRead: EntriesRead): Shop {
  const counted = (sends: boolean) => async (work: () => Promise<unknown>) => {
    const queries = await queriesOf(work, sends)
    if (queries.length === 0) throw new Error('no statement was seen')
    let entries = 0
    for (const query of queries) entries += await entriesRead(query)
    return entries
  }
  return { ...shop, read: counted(true), foreseen: counted(false), entriesRead }
}

t.test('SQLite', async (t) => {
  const file = `${temporaryFolder(t)}/shop.db`
  const shop = await shopOn(t, `sqlite:${file}`, 'sqlite')
  const { entriesRead, close } = readOnSqlite(file)
  t.teardown(close)
  await plans(t, counting(shop, entriesRead))
})

await onPostgres(async (t, server) => {
  const shop = await shopOn(t, await server.createDatabase(), 'postgres')
  // Less than the keys of a table take: so it is with the tables of a product, and memory as it comes.
  await plans(t, counting(shop, readOnPostgres(shop.db, { work_mem: '64kB' })))
})
