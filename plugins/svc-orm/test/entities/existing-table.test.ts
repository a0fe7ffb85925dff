/** An entity over an existing table as a plan, and the forms of its keys. On databases: test/interop. */
import { UuidIds } from 'svc-stores/table'
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import { defineEntity } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import { idFormOf } from '../../src/entities/existing-table.ts'

const Customer = defineEntity({
  name: 'Customer',
  existing: { name: 'tbl_customers', columns: { id: 'no', name: 'cust_name', regionId: 'region' }, id: 'integer' },
  schema: { name: { type: 'string', unique: true }, city: { type: 'string', nullable: true } },
  relations: { region: { type: 'many-to-one', target: 'Region' } },
  indexes: [{ fields: ['city'] }]
})
const Region = defineEntity({ name: 'Region', existing: { name: 'regions', id: 'text' }, schema: {} })

const { entities, problems } = compileEntities(
  [Customer, Region].map((definition) => ({ definition, place: null })),
  'default'
)
const [customer, region] = entities

t.test('columns, key and what is unique go by the names of the table', async (t) => {
  t.strictSame(problems, [])
  if (customer === undefined || region === undefined) throw new Error('they compile')
  t.strictSame(entityPlan(customer), {
    name: 'tbl_customers',
    collection: 'tbl_customers',
    existing: true,
    record: 'Customer',
    key: ['no'],
    columns: [
      { name: 'no', type: 'integer', field: 'no' },
      { name: 'cust_name', type: 'text' },
      { name: 'city', type: 'text', nullable: true },
      { name: 'region', type: 'text' }
    ],
    indexes: [{ columns: ['cust_name'], unique: true }],
    place: null
  })
  t.match(entityPlan(region), { key: ['id'], columns: [{ name: 'id', type: 'text' }] })
  t.notOk('field' in (entityPlan(region).columns[0] ?? {}), 'among documents it is _id')
})

t.test('ids are text, of the form that the key has; the application makes none', async (t) => {
  const ids = new UuidIds({ now: () => 0 })
  if (customer === undefined || region === undefined) throw new Error('they compile')
  const [integer, text] = [idFormOf(customer.id, ids), idFormOf(region.id, ids)]
  for (const id of ['0', '7', '-3', '9007199254740991']) t.ok(integer.accepts(id), id)
  for (const id of ['', '07', '-0', '1.5', '1e3', ' 7', 'x', '9007199254740993']) t.notOk(integer.accepts(id), id)
  t.ok(text.accepts('eu'))
  for (const id of ['', 'nul\0', '\ud800']) t.notOk(text.accepts(id))
  for (const form of [integer, text]) t.throws(() => form.generate(), { code: 'SVC_ORM_VALUE', message: /^id/ })
})
