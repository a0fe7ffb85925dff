/** A table whose columns have other names, read and written by its fields; ids that are integers there are text in rows. */
import { after, type Condition, memoryDatabase, type Table } from 'svc-stores/table'
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import { defineEntity } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import type { AnyRow } from '../../src/entities/row-of.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'

const Region = defineEntity({
  name: 'Region',
  existing: { name: 'regions', columns: { id: 'code', title: 'label' }, id: 'integer', writable: true },
  schema: { title: { type: 'string' } },
  relations: { customers: { type: 'one-to-many', target: 'Customer', mappedBy: 'region' } }
})

/** Two of its fields have the column that the other one is named for. */
const Customer = defineEntity({
  name: 'Customer',
  existing: {
    name: 'customers',
    columns: { id: 'no', name: 'label', label: 'name', credit: 'limit', regionId: 'region' },
    id: 'integer',
    writable: true
  },
  schema: {
    name: { type: 'string' },
    label: { type: 'string', nullable: true },
    credit: { type: 'integer', unique: true }
  },
  relations: { region: { type: 'many-to-one', target: 'Region', nullable: true } }
})

/** A table of the application itself, beside the existing ones. */
const Note = defineEntity({ name: 'Note', schema: { text: { type: 'string' } } })

/** One that refers to a row of an existing table. */
const Visit = defineEntity({
  name: 'Visit',
  schema: { place: { type: 'string', unique: true }, length: { type: 'integer' } },
  relations: { customer: { type: 'many-to-one', target: 'Customer' } }
})

const ANN = { id: '7', name: 'Ann', label: 'x', credit: 10, regionId: '1' }
const BOB = { id: '42', name: 'Bob', label: null, credit: 20, regionId: '2' }
const CEM = { id: '100', name: 'Cem', label: 'y', credit: 30, regionId: null }

/** The tables as repositories see them, and the rows of customers as their table has them. */
async function opened() {
  const { entities } = compileEntities(
    [Region, Customer, Note, Visit].map((definition) => ({ definition, place: null })),
    'default'
  )
  const database = memoryDatabase()
  const repositories = new EntityRepositories({ database, entities })
  const stored = (name: string) => database.table<AnyRow>(entityPlan(repositories.entity(name)))
  await stored('Region').insert([
    { code: 1, label: 'Europe' },
    { code: 2, label: 'States' }
  ] as unknown as AnyRow[])
  await stored('Customer').insert([
    { no: 7, label: 'Ann', name: 'x', limit: 10, region: 1 },
    { no: 42, label: 'Bob', name: null, limit: 20, region: 2 },
    { no: 100, label: 'Cem', name: 'y', limit: 30, region: null }
  ] as unknown as AnyRow[])
  const table: Table<AnyRow> = repositories.table('Customer')
  return { database, repositories, table, stored: stored('Customer') }
}

t.test('repositories read by fields, also through relations', async (t) => {
  const { repositories } = await opened()
  const customers = repositories.repository('Customer')
  t.strictSame(await customers.find(), [ANN, BOB, CEM], 'in the order of numbers')
  t.strictSame(await customers.find({ id: ['100', '7', '8'] }), [ANN, CEM])
  t.strictSame(await customers.find({ id: { $gt: '7' } }, { order: [['name', 'DESC']] }), [CEM, BOB])
  t.strictSame(await customers.find({ $or: [{ label: null }, { $not: { name: 'Ann' } }] }), [BOB, CEM])
  t.strictSame(await customers.find({ regionId: '2' }), [BOB])
  t.strictSame(await customers.find({ 'region.title': 'Europe' }), [ANN])
  t.strictSame(await customers.findOne({ id: '42' }, { select: ['label', 'name'] }), {
    id: '42',
    name: 'Bob',
    label: null
  })
  const regions = repositories.repository('Region')
  t.strictSame(await regions.find({ customers: { name: 'Bob' } }, { include: { customers: true } }), [
    { id: '2', title: 'States', customers: [BOB] }
  ])
  const first = await customers.page({}, { limit: 2 })
  t.strictSame(first.items, [ANN, BOB])
  t.strictSame(await customers.page({}, { limit: 2, after: first.next ?? '' }), { items: [CEM], next: null })
})

t.test('groups carry the values of fields; a measure may have the name of a field or a column', async (t) => {
  const { repositories } = await opened()
  const customers = repositories.repository('Customer')
  await customers.create({ id: '101', name: 'Dee', credit: 5, regionId: '1' })
  const groups = await customers.groupBy(
    {},
    {
      by: ['regionId'],
      measures: { region: { count: true }, name: { max: 'credit' }, least: { min: 'id' } },
      order: [['name', 'DESC']],
      limit: 2
    }
  )
  t.strictSame(
    groups.map((group) => ({ ...group })),
    [
      { regionId: null, region: 1, name: 30, least: 100 },
      { regionId: '2', region: 1, name: 20, least: 42 }
    ]
  )
  t.strictSame(await customers.distinct('regionId'), [null, '1', '2'])
})

t.test('what is written has the columns of the table', async (t) => {
  const { repositories, stored } = await opened()
  const customers = repositories.repository('Customer')
  t.match(await customers.create({ id: '8', name: 'Dee', credit: 5, regionId: '1' }), { id: '8', regionId: '1' })
  t.match(await stored.find([{ field: 'no', operator: 'eq', value: 8 }]), [
    { no: 8, label: 'Dee', name: null, limit: 5, region: 1 }
  ])
  t.match(await customers.updateOne({ id: '8' }, { name: 'Eve', regionId: '2' }), { id: '8', name: 'Eve' })
  t.match(await stored.findOne([{ field: 'no', operator: 'eq', value: 8 }]), { label: 'Eve', limit: 5, region: 2 })
  t.match(await customers.upsert({ credit: 5 }, { id: '9', name: 'Fay' }), { id: '8', name: 'Eve' })
  t.match(await customers.increment({ id: '8' }, 'credit', 3), { credit: 8 })
  t.match(await customers.findOneAndDelete({ id: '8' }), { id: '8' })
  await t.rejects(customers.create({ id: '8', name: 'Dee', credit: 10 }), {
    code: 'SVC_ORM_UNIQUE',
    fields: ['credit']
  })
  await t.rejects(customers.create({ id: '7', name: 'Dee', credit: 8 }), { code: 'SVC_ORM_UNIQUE', fields: ['id'] })
  await t.rejects(customers.updateOne({ id: '7' }, { credit: 20 }), { code: 'SVC_ORM_UNIQUE', fields: ['credit'] })
  t.equal(await customers.delete({ credit: { $gte: 20 } }), 2)
  t.match(await stored.find([]), [{ no: 7 }])
})

t.test('operations of tables that no repository calls', async (t) => {
  const { table, stored, database } = await opened()
  t.equal(table.plan.name, 'customers')
  t.equal(await table.insertNew([{ ...ANN }, { ...ANN, id: '8', credit: 8 }]), 1)
  const credits: Condition[] = [{ field: 'credit', operator: 'lt', value: 20 }]
  t.strictSame(
    await table.counts(credits, {
      named: [{ field: 'name', operator: 'eq', value: 'Ann' }],
      seven: [{ field: 'id', operator: 'eq', value: '7' }]
    }),
    { total: 2, named: 2, seven: 1 }
  )

  const put = { ...ANN, label: 'z', credit: 3 }
  t.strictSame(await table.put({ ...put }, { keep: ['label'], max: ['credit'] }), { ...ANN, label: 'x', credit: 10 })
  const bob: Condition[] = [{ field: 'id', operator: 'eq', value: '42' }]
  const guard: Condition[] = [{ field: 'name', operator: 'eq', value: 'Bob' }]
  t.equal(await table.put({ ...put }, { guard }), null, 'the row that stands is another one')
  t.strictSame(await table.put({ ...put }), put)
  t.match(await stored.findOne([{ field: 'no', operator: 'eq', value: 7 }]), { label: 'Ann', name: 'z', limit: 3 })

  const order = [{ field: 'name', direction: 'DESC' }] as const
  t.match(await table.claim([], { set: { label: 'c' } }, 1, order), [{ id: '100', label: 'c' }])
  t.match(await table.claim([], { set: { label: 'd' } }, 1), [{ label: 'd' }])
  t.equal(await table.delete([], 1), 1)
  const rows = await table.find([], { order: [{ field: 'id', direction: 'ASC' }], without: ['label', 'credit'] })
  t.strictSame(rows.length, 3)
  for (const row of rows) t.strictSame(Object.keys(row).sort(), ['id', 'name', 'regionId'])
  const behind = after([{ field: 'id', direction: 'ASC' }], { id: '42' })
  t.match(await table.find(behind, { order: [{ field: 'id', direction: 'ASC' }] }), [{ id: '100' }])

  await t.rejects(
    database.transaction(async (tx) => {
      await table.within(tx).deleteOne(bob)
      t.equal(await table.within(tx).findOne(bob), null)
      throw new Error('undone')
    }),
    { message: 'undone' }
  )
  t.ok(await table.exists(bob))
})

t.test(
  'rows of a table of its own pass as they are; what they reach in an existing table is as its rows have it',
  async (t) => {
    const { repositories } = await opened()
    const visits = repositories.repository('Visit')
    const given = [
      { place: 'north', length: 3, customerId: '42' },
      { place: 'south', length: 1, customerId: '7' },
      { place: 'west', length: 2, customerId: '100' }
    ]
    const made = await visits.createMany(given)
    for (const row of made) t.strictSame(Object.keys(row).sort(), ['customerId', 'id', 'length', 'place'])
    const [north, south, west] = made
    t.strictSame(await visits.find({ 'customer.name': { $in: ['Ann', 'Cem'] } }, { order: [['place', 'ASC']] }), [
      south,
      west
    ])
    t.strictSame(await visits.find({}, { order: [['customer.id', 'DESC']] }), [west, north, south])
    const reached = repositories.table('Visit').find([], {
      order: [
        {
          field: 'customer.id',
          direction: 'ASC',
          by: {
            kind: 'reached',
            steps: [{ field: 'customerId', table: repositories.table('Customer').plan, column: 'id' }],
            column: 'id'
          }
        },
        { field: 'id', direction: 'ASC' }
      ]
    })
    t.strictSame(
      (await reached).map((row) => row['customer.id']),
      ['7', '42', '100']
    )
    const pages: unknown[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page: { items: AnyRow[]; next: string | null } = await visits.page(
        {},
        { order: [['length', 'ASC']], limit: 1, ...(after !== '' && { after }) }
      )
      pages.push(...page.items)
      after = page.next
    }
    t.strictSame(pages, [south, west, north])
    const merged = await visits.upsertMany(
      [
        { place: 'west', length: 9, customerId: '7' },
        { place: 'east', length: 8, customerId: '7' }
      ],
      { on: ['place'], update: true }
    )
    t.strictSame(merged[0], { ...west, length: 9, customerId: '7' })
    t.match(merged[1], { place: 'east', length: 8, customerId: '7' })
    t.strictSame(await visits.updateOne({ place: 'west' }, { length: { $add: 1 } }), { ...merged[0], length: 10 })
  }
)
