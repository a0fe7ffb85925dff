/** Existing tables with a primary key of several columns, read and written by entities; on both engines. */
import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import svcOrm, { defineEntity, type EntityDefinition } from 'svc-orm'
import t, { type Test } from 'tap'
import svcSqlorm from '../src/index.ts'
import { onPostgres } from './support/on-postgres.ts'

const Order = defineEntity({
  name: 'Order',
  existing: { name: 'orders', columns: { id: 'order_no' }, id: 'integer', writable: true },
  schema: { title: { type: 'string' } },
  relations: { lines: { type: 'one-to-many', target: 'OrderLine', mappedBy: 'order' } }
})

const OrderLine = defineEntity({
  name: 'OrderLine',
  existing: {
    name: 'order_lines',
    key: ['orderId', 'sku', 'shipped'],
    columns: { orderId: 'order_no', sku: 'sku code', amount: 'qty' },
    writable: true
  },
  schema: { sku: { type: 'string' }, shipped: { type: 'day' }, amount: { type: 'integer' } },
  relations: { order: { type: 'many-to-one', target: 'Order' } }
})

const Seat = defineEntity({
  name: 'Seat',
  existing: { name: 'seats', key: ['deviceId', 'row'], writable: true },
  schema: { row: { type: 'integer' }, taken: { type: 'boolean' } },
  relations: { device: { type: 'many-to-one', target: 'Device' } },
  version: true
})

/** Of the application itself. */
const Device = defineEntity({
  name: 'Device',
  schema: { serial: { type: 'string' } },
  relations: {
    seats: { type: 'one-to-many', target: 'Seat', mappedBy: 'device' },
    repairs: { type: 'one-to-many', target: 'Repair', mappedBy: 'device' }
  }
})

const Repair = defineEntity({
  name: 'Repair',
  schema: { part: { type: 'string' } },
  relations: { device: { type: 'many-to-one', target: 'Device' }, order: { type: 'many-to-one', target: 'Order' } }
})

const DAY = '2026-01-02'

async function app(
  t: Test,
  url: string,
  entities: readonly EntityDefinition[] = [Order, OrderLine, Seat, Device, Repair]
) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { parts: { entities } })
  await fastify.register(svcSqlorm, { connectors: { default: { url } } })
  return fastify
}

async function tables(fastify: FastifyInstance): Promise<void> {
  const db = fastify.sqlorm.kysely()
  await sql`create table orders (order_no integer primary key, title text not null)`.execute(db)
  await sql`create table order_lines (
    "sku code" text not null, qty integer not null, order_no integer not null references orders, shipped text not null,
    primary key (order_no, "sku code", shipped))`.execute(db)
  await sql`create table seats ("deviceId" text not null, "row" integer not null, taken ${sql.raw(
    fastify.sqlorm.connection().engine.vendor === 'sqlite' ? 'integer' : 'boolean'
  )} not null, version integer not null, primary key ("deviceId", "row"))`.execute(db)
  await sql`insert into orders values (2, 'two'), (10, 'ten')`.execute(db)
  for (const [order, sku, qty] of [
    [10, 'a', 1],
    [2, 'b,c', 2],
    [2, 'a', 3],
    [2, 'ä/%', 4],
    [10, 'z', 5]
  ] as const) {
    await sql`insert into order_lines values (${sku}, ${qty}, ${order}, ${DAY})`.execute(db)
  }
}

const IDS = ['2,a', '2,b%2Cc', '2,%C3%A4%2F%25', '10,a', '10,z'].map((id) => `${id},${DAY}`)
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

function keyTests(t: Test, newUrl: () => Promise<string>): void {
  t.test('rows are read by their id and by the fields of it', async (t) => {
    const fastify = await app(t, await newUrl())
    await tables(fastify)
    await fastify.ready()
    const lines = fastify.orm.repository(OrderLine)
    const rows = await lines.find()
    t.strictSame(ids(rows), IDS)
    for (const row of rows) t.strictSame(await lines.findOne({ id: row.id }), row)
    t.equal((await lines.findOne({ orderId: '2', sku: 'a', shipped: DAY }))?.id, IDS[0])
    t.strictSame(ids(await lines.find({ id: { $in: IDS.slice(1, 4) } })), IDS.slice(1, 4))
    t.strictSame(ids(await lines.find({ id: { $nin: IDS.slice(1, 4) } })), [IDS[0], IDS[4]])
    t.strictSame(ids(await lines.find({ id: { $gt: IDS[1] as string } })), IDS.slice(2))
    t.strictSame(ids(await lines.find({ id: { $lte: IDS[1] as string } })), IDS.slice(0, 2))
    t.equal(await lines.findOne({ id: '2,a' }), null)
    for (const order of ['ASC', 'DESC'] as const) {
      const seen: string[] = []
      let next: string | null = null
      do {
        const page: { items: readonly { id: string }[]; next: string | null } = await lines.page(
          {},
          { order: [['sku', order]], limit: 2, ...(next !== null && { after: next }) }
        )
        seen.push(...ids(page.items))
        next = page.next
      } while (next !== null)
      const whole = await lines.find(
        {},
        {
          order: [
            ['sku', order],
            ['id', order]
          ]
        }
      )
      t.strictSame(seen, ids(whole))
    }
    const [two] = await fastify.orm
      .repository(Order)
      .find({}, { include: { lines: { limit: 2, order: [['id', 'DESC']] } } })
    t.strictSame(ids(two?.lines ?? []), [IDS[2], IDS[1]])
    t.strictSame(ids(await lines.find({ 'order.title': 'ten' })), IDS.slice(3))
    const [device] = await fastify.orm.repository(Device).createMany([{ serial: 'x' }, { serial: 'y' }])
    const repairs = ['2', '2', '10'].map((orderId) => ({ part: 'p', orderId, deviceId: device?.id ?? '' }))
    await fastify.orm.repository(Repair).createMany(repairs)
    const counts = {
      repairs: true,
      two: { relation: 'repairs', where: { orderId: '2', 'order.title': 'two' } }
    } as const
    const counted = await fastify.orm.repository(Device).find({}, { order: [['serial', 'ASC']], counts })
    t.strictSame(
      counted.map((row) => ({ ...row.counts })),
      [
        { repairs: 3, two: 2 },
        { repairs: 0, two: 0 }
      ]
    )
    const lined = await fastify.orm.repository(Order).find({}, { counts: { lines: true } })
    t.strictSame(
      lined.map((row) => row.counts.lines),
      [3, 2]
    )
    t.equal(await fastify.orm.repository(Order).count({ lines: { id: IDS[4] as string } }), 1)
  })

  t.test('rows are written by their id: hooks of versions, locks, deletions, upserts', async (t) => {
    const fastify = await app(t, await newUrl())
    await tables(fastify)
    await fastify.ready()
    const device = await fastify.orm.repository(Device).create({ serial: 'x' })
    const seats = fastify.orm.repository(Seat)
    await seats.createMany([1, 2, 10].map((row) => ({ row, taken: false, deviceId: device.id })))
    const [first] = await seats.find()
    t.strictSame(first, { id: `${device.id},1`, row: 1, taken: false, deviceId: device.id, version: 1 })
    t.match(await seats.updateOne({ id: `${device.id},2` }, { taken: true, version: 1 }), { row: 2, version: 2 })
    await t.rejects(seats.updateOne({ id: `${device.id},2` }, { taken: false, version: 1 }), {
      code: 'SVC_ORM_VERSION'
    })
    await t.rejects(seats.create({ row: 1, taken: true, deviceId: device.id }), {
      code: 'SVC_ORM_UNIQUE',
      fields: ['deviceId', 'row']
    })
    const key = { deviceId: device.id, row: 1 }
    t.match(await seats.upsert(key, { taken: true }), { taken: false })
    t.match(await seats.upsert(key, { taken: true }, { update: true }), { taken: true, version: 2 })
    t.match(await seats.upsert({ ...key, row: 3 }, { taken: true }, { update: true }), { id: `${device.id},3` })
    const each = [
      { id: `${device.id},1`, taken: true, version: 2 },
      { id: `${device.id},2`, taken: true, version: 2 }
    ]
    t.match(await seats.updateEach(each), [
      { row: 1, version: 3 },
      { row: 2, version: 3 }
    ])
    await seats.upsertMany(
      [
        { ...key, taken: true },
        { ...key, row: 3, taken: true }
      ],
      {
        on: ['deviceId', 'row'],
        update: true
      }
    )
    await seats.withTransaction(async (inside) => {
      const locked = await inside.find({ taken: true }, { lock: 'update' })
      t.strictSame(
        ids(locked),
        [1, 2, 3].map((row) => `${device.id},${row}`)
      )
      await inside.updateMany({ id: { $in: ids(locked) } }, { taken: false })
    })
    t.equal(await seats.count({ taken: true }), 0)
    t.equal(await seats.deleteOne({ id: `${device.id},10` }), true)
    t.strictSame(await seats.deleteOwned({}), { Seat: 3 })
    for (const id of ['x,1', `${device.id},1.5`, `${device.id},9007199254740993`])
      t.equal(await seats.findOne({ id }), null, id)
  })
}

t.test('SQLite', async (t) => keyTests(t, async () => 'sqlite::memory:'))

await onPostgres(async (t, server) => keyTests(t, () => server.createDatabase()))
