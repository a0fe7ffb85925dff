/** Existing tables whose key has several columns: rows have an id that is made of them, and every call takes it. */
import { Parser } from '@dbml/core'
import { fastify as createFastify } from 'fastify'
import { type Condition, memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { entityView } from '../../src/admin/entity-view.ts'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { CompiledEntity } from '../../src/entities/compiled-entity.ts'
import { defineEntity, type EntityDefinition } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import type { AnyRow } from '../../src/entities/row-of.ts'
import { toDbml } from '../../src/export/to-dbml.ts'
import svcOrm, { type Changes, crud, type NewOf, type RowOf } from '../../src/index.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'
import type { KeysetPage } from '../../src/repository/repository.ts'

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
    key: ['orderId', 'sku'],
    columns: { orderId: 'order_no', sku: 'sku code', amount: 'qty' },
    writable: true
  },
  schema: { sku: { type: 'string' }, amount: { type: 'integer' } },
  relations: { order: { type: 'many-to-one', target: 'Order' } }
})

const line = (order: number, sku: string, qty: number) => ({ order_no: order, 'sku code': sku, qty })

async function opened() {
  const { entities, problems } = compileEntities(
    [Order, OrderLine].map((definition) => ({ definition, place: null })),
    'default'
  )
  t.same(problems, [])
  const database = memoryDatabase()
  const repositories = new EntityRepositories({ database, entities })
  const stored = (name: string) => database.table<AnyRow>(entityPlan(repositories.entity(name)))
  await stored('Order').insert([
    { order_no: 2, title: 'two' },
    { order_no: 10, title: 'ten' }
  ] as never)
  await stored('OrderLine').insert([
    line(10, 'a', 1),
    line(2, 'b,c', 2),
    line(2, 'a', 3),
    line(2, 'ä/%', 4),
    line(10, 'z', 5)
  ] as never)
  const orders = repositories.repository('Order')
  return { repositories, orders, lines: repositories.repository('OrderLine'), stored: stored('OrderLine') }
}

const IDS = ['2,a', '2,b%2Cc', '2,%C3%A4%2F%25', '10,a', '10,z']
const amounts = (rows: readonly AnyRow[]) => rows.map(({ amount }) => amount as number)
const ids = (rows: readonly AnyRow[]) => rows.map(({ id }) => id)

t.test('the plan has the key of the table, and no column for the id', async (t) => {
  const { repositories } = await opened()
  const plan = entityPlan(repositories.entity('OrderLine'))
  t.strictSame(plan.key, ['order_no', 'sku code'])
  t.strictSame(
    plan.columns.map(({ name }) => name),
    ['sku code', 'qty', 'order_no']
  )
  t.strictSame(plan.indexes, [])
})

t.test('rows have an id of their key, in its order, and are found by it', async (t) => {
  const { lines } = await opened()
  const rows = await lines.find()
  t.strictSame(ids(rows), IDS)
  t.strictSame(rows[0], { id: '2,a', sku: 'a', amount: 3, orderId: '2' })
  for (const row of rows) t.strictSame(await lines.findOne({ id: row.id }), row)
  t.strictSame(await lines.findOne({ orderId: '2', sku: 'b,c' }), rows[1])
  t.strictSame(amounts(await lines.find({ id: { $in: ['10,z', '2,a', '2,%C3%A4%2F%25'] } })), [3, 4, 5])
  t.strictSame(amounts(await lines.find({ id: { $nin: ['10,z', '2,a'] } })), [2, 4, 1])
  t.strictSame(amounts(await lines.find({ id: { $ne: '10,z' } })), [3, 2, 4, 1])
  t.strictSame(amounts(await lines.find({ id: { $gt: '2,b%2Cc' } })), [4, 1, 5])
  t.strictSame(amounts(await lines.find({ id: { $gte: '2,b%2Cc', $lt: '10,z' } })), [2, 4, 1])
  t.strictSame(amounts(await lines.find({ $not: { id: '2,a' } })), [2, 4, 1, 5])
  t.equal(await lines.count({ $or: [{ id: '2,a' }, { id: '10,a' }] }), 2)
  t.equal(await lines.exists({ id: '3,a' }), false)
  t.equal(await lines.count({ id: { $null: true } }), 0)
  t.equal(await lines.count({ id: { $null: false } }), 5)
})

t.test('a text that is no key names no row', async (t) => {
  const { lines } = await opened()
  for (const id of ['2', '2,a,b', '2,%', '2,b,c', '02,a', 'x,a', '2,%61', '', '2,%00']) {
    t.equal(await lines.findOne({ id }), null, id)
    t.equal(await lines.deleteOne({ id }), false, id)
  }
})

t.test('orders, pages, streams and selections', async (t) => {
  const { lines } = await opened()
  t.strictSame(ids(await lines.find({}, { order: [['id', 'DESC']] })), IDS.toReversed())
  t.strictSame(amounts(await lines.find({}, { order: [['sku', 'DESC']] })), [4, 5, 2, 3, 1])
  for (const order of [[['sku', 'ASC']], [['orderId', 'DESC']], [['amount', 'ASC']]] as const) {
    const seen: AnyRow[] = []
    let next: string | null = null
    do {
      const page: KeysetPage<AnyRow> = await lines.page({}, { order, limit: 2, ...(next !== null && { after: next }) })
      seen.push(...page.items)
      next = page.next
    } while (next !== null)
    const whole = await lines.find({}, { order: [...order, ['id', order[0][1]]] })
    t.strictSame(ids(seen), ids(whole), String(order))
  }
  const streamed: string[] = []
  for await (const { id } of lines.stream()) streamed.push(id)
  t.strictSame(streamed, IDS)
  t.strictSame((await lines.find({}, { select: ['amount'], limit: 1 }))[0], { id: '2,a', amount: 3 })
})

t.test('relations in both directions', async (t) => {
  const { lines, orders } = await opened()
  const [order] = await orders.find({}, { include: { lines: true } })
  t.strictSame(amounts(order?.lines), [3, 2, 4])
  const first = await orders.find({}, { include: { lines: { limit: 1, order: [['id', 'DESC']] } } })
  t.strictSame(
    first.map((each) => amounts(each.lines)),
    [[4], [5]]
  )
  t.equal((await lines.findOne({ id: '10,z' }, { include: { order: true } }))?.order.title, 'ten')
  t.strictSame(ids(await lines.find({ 'order.title': 'ten' })), ['10,a', '10,z'])
  t.strictSame(
    (await orders.find({ lines: { sku: 'z' } })).map(({ title }) => title as string),
    ['ten']
  )
})

t.test('writes: a new row brings its key, which does not change', async (t) => {
  const { lines, stored } = await opened()
  const made = await lines.create({ orderId: '3', sku: 'x', amount: 7 })
  t.strictSame(made, { id: '3,x', orderId: '3', sku: 'x', amount: 7 })
  const byColumns: readonly Condition[] = [{ field: 'qty', operator: 'eq', value: 7 }]
  t.strictSame(await stored.find(byColumns), [{ order_no: 3, 'sku code': 'x', qty: 7 }])
  t.equal((await lines.create({ id: '3,y', orderId: '3', sku: 'y', amount: 1 })).id, '3,y')
  const other = { id: '3,q', orderId: '3', sku: 'r', amount: 1 }
  await t.rejects(lines.create(other), { code: 'SVC_ORM_VALUE', statusCode: 400 })
  await t.rejects(lines.create({ orderId: '3', amount: 1 }), { code: 'SVC_ORM_VALUE' })
  await t.rejects(lines.create({ orderId: '3', sku: 'x', amount: 8 }), {
    code: 'SVC_ORM_UNIQUE',
    statusCode: 409,
    fields: ['orderId', 'sku']
  })
  t.equal((await lines.updateOne({ id: '3,x' }, { amount: 8 }))?.amount, 8)
  await t.rejects(lines.updateOne({ id: '3,x' }, { sku: 'y' }), { code: 'SVC_ORM_VALUE' })
  t.equal(await lines.updateMany({ id: { $in: ['3,x', '3,y'] } }, { amount: { $add: 1 } }), 2)
  t.strictSame(await lines.upsert({ orderId: '3', sku: 'x' }, { amount: 1 }), { ...made, amount: 9 })
  t.equal((await lines.upsert({ orderId: '3', sku: 'x' }, { amount: 1 }, { update: true })).amount, 1)
  t.equal((await lines.upsert({ orderId: '4', sku: 'x' }, { amount: 4 }, { update: true })).id, '4,x')
  t.equal(await lines.deleteOne({ id: '3,x' }), true)
  t.equal((await lines.findOneAndDelete({ orderId: '3', sku: 'y' }))?.id, '3,y')
  t.strictSame(await lines.deleteOwned({ id: '4,x' }), { OrderLine: 1 })
  t.equal(await lines.delete({ id: { $in: IDS } }), 5)
})

t.test('what needs one column names the fields of the key', async (t) => {
  const { lines } = await opened()
  const refused = { code: 'SVC_ORM_CRITERIA', message: /orderId, sku/ }
  await t.rejects(lines.distinct('id'), refused)
  await t.rejects(lines.groupBy({}, { by: ['id'], measures: { n: { count: true } } }), refused)
  t.strictSame(await lines.distinct('orderId'), ['2', '10'])
})

t.test('routes of crud take the fields of the key; a row may be sent back with its key', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  const Line = defineEntity({
    name: 'Line',
    existing: { name: 'lines', key: ['code', 'position'], writable: true },
    schema: { code: { type: 'string' }, position: { type: 'integer' }, amount: { type: 'integer', default: 0 } }
  })
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Line] } })
  const { routes, found, whole } = crud(Line)
  const lines = () => fastify.orm.repository(Line)
  type Key = { Params: { code: string; position: number } }
  const path = '/:code/:position'
  fastify.get<Key>(path, routes.read, async ({ params }) => found(await lines().findOne(params)))
  fastify.post<{ Body: NewOf<typeof Line> }>('/', routes.create, ({ body }) => lines().create(body))
  fastify.put<Key & { Body: NewOf<typeof Line> }>(path, routes.replace, async ({ params, body }) =>
    found(await lines().updateOne(params, whole(body)))
  )
  fastify.patch<Key & { Body: Changes<RowOf<typeof Line>> }>(path, routes.change, async ({ params, body }) =>
    found(await lines().updateOne(params, body))
  )
  await fastify.ready()
  const row = { id: 'a%2F%25,1', code: 'a/%', position: 1, amount: 2 }
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH',
    payload?: object,
    ...key: readonly (string | number)[]
  ) => {
    const url = `/${key.map(encodeURIComponent).join('/')}`
    const answer = await fastify.inject({ method, url, ...(payload !== undefined && { payload }) })
    return { status: answer.statusCode, body: answer.json() }
  }
  const { id: _, ...values } = row
  t.strictSame(await send('POST', values), { status: 200, body: row })
  t.match(await send('POST', { code: 'a' }), { status: 400 })
  const key = ['a/%', 1] as const
  t.strictSame(await send('GET', undefined, ...key), { status: 200, body: row })
  t.strictSame(await send('PUT', { ...row, amount: 5 }, ...key), { status: 200, body: { ...row, amount: 5 } })
  t.strictSame(await send('PUT', {}, ...key), { status: 200, body: { ...row, amount: 0 } })
  t.match(await send('PATCH', { position: 2 }, ...key), { status: 400, body: { code: 'SVC_ORM_VALUE' } })
  t.match(await send('GET', undefined, 'a/%', 2), { status: 404 })
  t.match(await send('GET', undefined, 'a/%', 'first'), { status: 400, body: { code: 'FST_ERR_VALIDATION' } })
})

t.test('exports say what the key is', async (t) => {
  const { entities } = compileEntities(
    [Order, OrderLine].map((definition) => ({ definition, place: null })),
    'main'
  )
  const dbml = toDbml([{ name: 'main', entities }])
  t.match(dbml, /Table "main"\."order_lines" \{\n {2}"sku" varchar/)
  t.match(dbml, '("orderId", "sku") [pk]')
  const { schemas } = new Parser().parse(dbml, 'dbmlv2')
  const [{ tables = [] } = {}] = schemas.filter(({ name }) => name === 'main')
  t.match(
    tables
      .find(({ name }) => name === 'order_lines')
      ?.indexes.map(({ pk, columns }) => [pk, columns.map(({ value }) => value)]),
    [[true, ['orderId', 'sku']]]
  )
  const view = entityView(entities[1] as CompiledEntity, 'main', 'order_lines', entities)
  t.strictSame(
    view.columns.map(({ name, primaryKey }) => [name, primaryKey]),
    [
      ['id', false],
      ['sku', true],
      ['amount', false],
      ['orderId', true]
    ]
  )
})

t.test('mistakes end the boot', async (t) => {
  const faults = (existing: object, more: object = {}) => {
    const definition = {
      name: 'Line',
      schema: {
        a: { type: 'string' },
        b: { type: 'integer' },
        price: { type: 'decimal', scale: 2 },
        maybe: { type: 'string', nullable: true },
        secret: { type: 'string', hidden: true }
      },
      timestamps: true,
      existing: { name: 'lines', ...existing },
      ...more
    }
    const placed = [{ definition: definition as EntityDefinition, place: null }]
    return compileEntities(placed, 'main').problems.map(({ code, message }) => `${code} ${message}`)
  }
  t.strictSame(faults({ key: ['a', 'b'] }), [])
  t.match(faults({ key: ['a', 'nothing'] }), [/^SVC_ENTITY_.*nothing, which is not a field/])
  t.match(faults({ key: ['a', 'price'] }), [/SVC_ENTITY_EXISTING .*price, which is neither text nor a whole number/])
  t.match(faults({ key: ['a', 'maybe'] }), [/maybe, which may be null/])
  t.match(faults({ key: ['a', 'secret'] }), [/secret, which is hidden or sealed/])
  t.match(faults({ key: ['a', 'createdAt'] }), [/createdAt, which is neither text nor a whole number/])
  t.match(faults({ key: ['a', 'version'] }, { version: true }), [/version, which the repository writes/])
  const scoped = { key: ['a', 'tenantId'], columns: { tenantId: 'tenant' } }
  t.match(faults(scoped, { scope: 'tenant' }), [/tenantId, which the repository writes/])
  t.match(faults({ key: ['a', 'b'], id: 'text' }), [/id beside key/])
  t.match(faults({ key: ['a', 'b'], columns: { id: 'no' } }), [/existing\.columns names id/])
  t.match(faults({ key: ['a'] }), [/SVC_ENTITY_INVALID/])
  const Named = {
    name: 'Named',
    schema: {},
    relations: { line: { type: 'many-to-one', target: 'OrderLine' } }
  } as const
  const { problems } = compileEntities(
    [Order, OrderLine, Named].map((definition) => ({ definition, place: null })),
    'main'
  )
  t.match(problems, [{ code: 'SVC_ENTITY_RELATION', message: /a key of several columns, which no reference names/ }])
})
