/** Entities over tables and collections that somebody else has made: read by their own names, and never touched. */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import mongoose from 'mongoose'
import svcDocdb from 'svc-docdb'
import { startDocumentEngine } from 'svc-docdb-embedded'
import type { BootError } from 'svc-kernel'
import svcOrm, { defineEntity, type EntityDefinition } from 'svc-orm'
import type { DriftPolicy } from 'svc-orm/driver'
import svcSqlorm from 'svc-sqlorm'
import t, { type Test } from 'tap'
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts'

const Region = defineEntity({
  name: 'Region',
  existing: { name: 'regions', columns: { id: 'code', title: 'Title' }, id: 'text' },
  schema: { title: { type: 'string' } },
  relations: { customers: { type: 'one-to-many', target: 'Customer', mappedBy: 'region' } }
})

/** Two of its fields have the column that the other one is named for. */
const customer = {
  schema: {
    name: { type: 'string' },
    label: { type: 'string', nullable: true },
    credit: { type: 'integer', unique: true },
    active: { type: 'boolean' }
  },
  relations: { region: { type: 'many-to-one', target: 'Region', nullable: true } }
} as const
const columns = { id: 'customer_no', name: 'label', label: 'name', credit: 'credit limit', regionId: 'region' }
const Customer = defineEntity({
  name: 'Customer',
  existing: { name: 'tbl_Customers', columns, id: 'integer' },
  ...customer
})

const Device = defineEntity({
  name: 'Device',
  existing: { name: 'devices', columns: { ownerId: 'owner' } },
  schema: { serial: { type: 'string' } },
  relations: { owner: { type: 'many-to-one', target: 'Customer' } }
})

/** Of the application itself: refers to a key that is an integer. */
const Note = defineEntity({
  name: 'Note',
  schema: { text: { type: 'string' } },
  relations: { customer: { type: 'many-to-one', target: 'Customer' } }
})

const entities = [Region, Customer, Device, Note]

interface Database {
  /** Starts an application; ready, unless its boot is refused. */
  readonly open: (t: Test, entities: readonly EntityDefinition[], drift?: DriftPolicy) => Promise<FastifyInstance>
  /** All that somebody else has, by name. */
  readonly look: (t: Test) => Promise<unknown>
  /** Key of the device. */
  readonly device: string
  readonly isSql: boolean
}

const DEVICE = '01985d3a-7bc4-7def-8a1b-2c3d4e5f6071'

const statements = (uuid: string): readonly string[] => [
  `create table regions (code varchar(8) primary key, "Title" text not null, seq integer not null)`,
  `create table "tbl_Customers" (customer_no integer primary key, label text not null, name text, "credit limit" integer,
    active boolean not null, region varchar(8), unmapped ${uuid === 'uuid' ? 'point' : 'blob'})`,
  `create unique index credits on "tbl_Customers" ("credit limit")`,
  `create table devices (id ${uuid} primary key, serial text not null, owner bigint not null)`,
  `create view active_customers as select customer_no as no, upper(label) as label from "tbl_Customers" where active`,
  `insert into regions values ('eu', 'Europe', 1), ('us', 'States', 2)`,
  `insert into "tbl_Customers" (customer_no, label, name, "credit limit", active, region) values
    (7, 'Ann', 'x', 10, true, 'eu'), (42, 'Bob', null, 20, true, 'us'), (100, 'Cem', 'y', 30, false, 'eu')`,
  `insert into devices values ('${DEVICE}', 's1', 42)`
]

async function sqlDatabase(t: Test, url: string, uuid: string): Promise<Database> {
  const open: Database['open'] = async (t, entities, drift = 'refuse') => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await fastify.register(svcOrm, { drift, parts: { entities } })
    await fastify.register(svcSqlorm, { connectors: { default: { url } } })
    await fastify.ready()
    return fastify
  }
  const { sqlorm } = await open(t, [])
  for (const statement of statements(uuid)) await sql.raw(statement).execute(sqlorm.kysely())
  const rows = async (query: string) => (await sql.raw(query).execute(sqlorm.kysely())).rows
  const catalogue =
    uuid === 'uuid'
      ? `select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' and table_name <> 'note' order by 1, 2`
      : `select name, sql from sqlite_master where tbl_name <> 'note' order by 1`
  const tables = ['regions', '"tbl_Customers"', 'devices', 'active_customers']
  const look = async () => [
    await rows(catalogue),
    ...(await Promise.all(tables.map((name) => rows(`select * from ${name} order by 1`))))
  ]
  return { open, look, device: DEVICE, isSql: true }
}

async function documentDatabase(t: Test): Promise<Database> {
  const engine = await startDocumentEngine({})
  t.teardown(() => engine.close())
  const open: Database['open'] = async (t, entities, drift = 'refuse') => {
    const fastify = Fastify()
    t.teardown(() => fastify.close())
    await fastify.register(svcOrm, { drift, parts: { entities } })
    await fastify.register(svcDocdb, { connectors: { svc: { uri: engine.uri } } })
    await fastify.ready()
    return fastify
  }
  const { docdb } = await open(t, [])
  const { db } = docdb.connection()
  if (db === undefined) throw new Error('not open')
  const device = '0123456789abcdef01234567'
  await db.collection('regions').insertMany([
    { code: 'eu', Title: 'Europe' },
    { code: 'us', Title: 'States' }
  ])
  await db.collection('tbl_Customers').insertMany([
    { customer_no: 7, label: 'Ann', name: 'x', 'credit limit': 10, active: true, region: 'eu' },
    { customer_no: 42, label: 'Bob', 'credit limit': 20, active: true, region: 'us' },
    { customer_no: 100, label: 'Cem', name: 'y', 'credit limit': 30, active: false, region: 'eu' }
  ])
  await db
    .collection('devices')
    .insertOne({ _id: mongoose.mongo.ObjectId.createFromHexString(device) as never, serial: 's1', owner: 42 })
  const names = ['regions', 'tbl_Customers', 'devices']
  const look = () =>
    Promise.all(names.flatMap((name) => [db.collection(name).find().toArray(), db.collection(name).indexes()]))
  return { open, look, device, isSql: false }
}

async function onEach(name: string, work: (t: Test, database: Database) => Promise<void>): Promise<void> {
  await t.test(`${name}: SQLite`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-existing-'))
    t.teardown(() => rmSync(folder, { recursive: true }))
    await work(t, await sqlDatabase(t, `sqlite:${join(folder, 'theirs.db')}`, 'text'))
  })
  const programs = postgresPrograms()
  const skip = programs === null ? 'PostgreSQL is not installed' : false
  await t.test(`${name}: PostgreSQL`, { skip }, async (t) => {
    const server = await PostgresServer.start(programs ?? '')
    t.teardown(async () => {
      await server.kill()
      server.remove()
    })
    await work(t, await sqlDatabase(t, server.url('postgres'), 'uuid'))
  })
  await t.test(`${name}: documents`, async (t) => work(t, await documentDatabase(t)))
}

await onEach('reads use the names and keys of the table', async (t, { open, device }) => {
  const { orm } = await open(t, entities)
  const customers = orm.repository(Customer)
  const ann = { id: '7', name: 'Ann', label: 'x', credit: 10, active: true, regionId: 'eu' }
  t.strictSame(await customers.findOne({ id: '7' }), ann)
  t.strictSame(await customers.find({ name: 'Ann', label: { $ne: null }, credit: { $lt: 20 } }), [ann])
  const ids = async (criteria: object, options = {}) =>
    (await customers.find(criteria, options)).map(({ id }: { id: string }) => id)
  t.strictSame(await ids({}), ['7', '42', '100'], 'in the order of numbers')
  t.strictSame(await ids({ id: ['100', '7', '8'] }), ['7', '100'])
  t.strictSame(await ids({ id: { $gt: '7' } }, { order: [['name', 'DESC']] }), ['100', '42'])
  t.strictSame(await ids({ $or: [{ label: null }, { $not: { active: true } }] }), ['42', '100'])
  t.strictSame(await ids({ regionId: 'eu', label: { $like: 'x%' } }), ['7'])
  t.strictSame(await ids({ 'region.title': 'Europe' }), ['7', '100'])
  t.strictSame(await ids({ id: 'x' }), [], 'what is no key finds nothing')
  t.equal(await customers.count({ region: null }), 0)
  t.equal(await customers.exists({ id: '9' }), false)
  t.strictSame(await customers.findOne({ id: '42' }, { select: ['label', 'name'] }), {
    id: '42',
    name: 'Bob',
    label: null
  })

  const regions = await orm.repository(Region).find({ customers: { active: false } }, { include: { customers: true } })
  t.match(regions, [{ id: 'eu', title: 'Europe', customers: [{ id: '7' }, { id: '100', name: 'Cem' }] }])
  const devices = orm.repository(Device)
  t.match(await devices.find({ id: [device] }, { include: { owner: { include: { region: true } } } }), [
    { id: device, serial: 's1', ownerId: '42', owner: { id: '42', name: 'Bob', region: { title: 'States' } } }
  ])
  t.equal(await devices.count({ 'owner.name': 'Bob' }), 1)

  t.strictSame(
    { ...(await customers.aggregate({}, { sum: { sum: 'credit' }, least: { min: 'name' } })) },
    { sum: 60, least: 'Ann' }
  )
  const groups = await customers.groupBy(
    {},
    {
      by: ['regionId'],
      measures: { label: { count: true }, most: { max: 'credit' } },
      order: [['most', 'DESC']]
    }
  )
  t.strictSame(
    groups.map((group) => ({ ...group })),
    [
      { regionId: 'eu', label: 2, most: 30 },
      { regionId: 'us', label: 1, most: 20 }
    ]
  )
  t.strictSame(await devices.distinct('ownerId'), ['42'])
  t.strictSame(await customers.distinct('name', { active: true }), ['Ann', 'Bob'])

  const first = await customers.page({}, { limit: 2 })
  const rest = await customers.page({}, { limit: 2, after: first.next ?? '' })
  t.strictSame(
    [...first.items, ...rest.items].map(({ id }) => id),
    ['7', '42', '100']
  )
  const byName = await customers.page({}, { order: [['name', 'DESC']], limit: 1 })
  t.match((await customers.page({}, { order: [['name', 'DESC']], limit: 1, after: byName.next ?? '' })).items, [
    { id: '42' }
  ])
  const streamed: string[] = []
  for await (const { id } of customers.stream({ active: true })) streamed.push(id)
  t.strictSame(streamed, ['7', '42'])
})

await onEach('an entity of the application refers to it', async (t, { open }) => {
  const { orm } = await open(t, entities)
  const notes = orm.repository(Note)
  const note = await notes.create({ text: 'calls back', customerId: '42' })
  t.equal(note.customerId, '42')
  t.match(await notes.find({ customerId: ['42'], 'customer.name': 'Bob' }, { relations: ['customer'] }), [
    { id: note.id, customerId: '42', customer: { id: '42', name: 'Bob' } }
  ])
  t.match(await notes.updateOne({ customerId: '42' }, { customerId: '7' }), { customerId: '7' })
  t.equal(await notes.count({ customerId: { $gte: '8' } }), 0)
  await t.rejects(notes.create({ text: 'x', customerId: 'x' }), { code: 'SVC_ORM_VALUE', message: /a safe integer/ })
})

await onEach('it is only read, and never made, changed or dropped', async (t, { open, look, isSql }) => {
  const before = await look(t)
  const { orm } = await open(t, entities)
  const customers = orm.repository('Customer')
  const row = { id: '8', name: 'Dan', credit: 1, active: true }
  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    create: () => customers.create(row),
    createMany: () => customers.createMany([row]),
    updateOne: () => customers.updateOne({ id: '7' }, { name: 'x' }),
    updateMany: () => customers.updateMany({}, { name: 'x' }),
    increment: () => customers.increment({ id: '7' }, 'credit'),
    upsert: () => customers.upsert({ id: '8' }, row),
    delete: () => customers.delete({}),
    deleteOne: () => customers.deleteOne({ id: '7' }),
    findOneAndDelete: () => customers.findOneAndDelete({ id: '7' }),
    'in a transaction': () => customers.withTransaction((inside) => inside.delete({}))
  }
  for (const [name, write] of Object.entries(writes)) {
    await t.rejects(write(), { code: 'SVC_ORM_READ_ONLY', statusCode: 403 }, name)
  }
  t.strictSame(await orm.connectors()[0]?.reset?.(), [isSql ? 'note' : 'Note'])
  t.strictSame(await look(t), before)
})

await onEach('it is written where the definition says so', async (t, { open, isSql }) => {
  const Written = defineEntity({ ...Customer, existing: { ...Customer.existing, writable: true } })
  const { orm } = await open(t, [Region, Written, Device])
  const customers = orm.repository(Written)
  const dan = { id: '8', name: 'Dan', label: null, credit: 40, active: true, regionId: null }
  t.strictSame(await customers.create(dan), dan)
  t.strictSame(await customers.findOne({ name: 'Dan' }), dan)
  t.match(await customers.updateOne({ id: '8' }, { label: 'd', $max: { credit: 41 } }), { label: 'd', credit: 41 })
  t.match(await customers.increment({ id: '8' }, 'credit', 2), { id: '8', credit: 43 })
  t.match(await customers.upsert({ credit: 43 }, { ...dan, credit: 43 }), { id: '8', label: 'd' })
  if (isSql) await t.rejects(customers.create({ ...dan, id: '9', credit: 10 }), { code: 'SVC_ORM_UNIQUE' })
  await t.rejects(customers.create({ name: 'x', credit: 1, active: true }), { code: 'SVC_ORM_VALUE', message: /^id/ })
  t.match(await customers.withTransaction((inside) => inside.findOneAndDelete({ id: '8' })), { id: '8', credit: 43 })
  t.equal(await customers.delete({ regionId: 'eu' }), 2)
  t.equal(await customers.count(), 1)
})

await onEach(
  'a view is read like a table; what is not there is told before anything is read',
  async (t, { open, isSql }) => {
    if (!isSql) return
    const View = defineEntity({
      name: 'ActiveCustomer',
      existing: { name: 'active_customers', columns: { id: 'no' }, id: 'integer' },
      schema: { label: { type: 'string' } }
    })
    const { orm } = await open(t, [View])
    t.strictSame(await orm.repository(View).find({ label: { $like: 'B%' } }), [{ id: '42', label: 'BOB' }])
    const existing = { name: 'tbl_Customers', columns: { id: 'customer_no', name: 'label' }, id: 'integer' } as const
    const wrong = defineEntity({
      name: 'Customer',
      existing,
      schema: { name: { type: 'integer' }, phone: { type: 'string', nullable: true } }
    })
    const refused = (await open(t, [wrong]).catch((error: unknown) => error)) as BootError
    t.match(refused.problems, [
      { code: 'SVC_ORM_EXISTING_COLUMN', message: /^tbl_Customers\.phone does not exist in the existing table/ },
      { code: 'SVC_ORM_COLUMN_TYPE', message: /^the column tbl_Customers\.label has the type text/ }
    ])
    const absent = defineEntity({ name: 'Gone', existing: { name: 'nowhere' }, schema: {} })
    const missing = (await open(t, [absent]).catch((error: unknown) => error)) as BootError
    t.match(missing.problems, [{ code: 'SVC_ORM_EXISTING_COLUMN', message: /^nowhere\.id/ }])
  }
)
