/** Every type of a field is shown as what it is, with all that decides about its values. */
import t from 'tap'
import { entityView } from '../../src/admin/entity-view.ts'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import { defineEntity } from '../../src/entities/entity-definition.ts'

const Item = defineEntity({
  name: 'Item',
  timestamps: true,
  softDelete: true,
  version: true,
  schema: {
    sku: { type: 'string', maxLength: 20, unique: true, check: { pattern: '^[A-Z]+$' } },
    price: { type: 'decimal', scale: 2, default: '0.00' },
    units: { type: 'bigint' },
    since: { type: 'day' },
    code: { type: 'uuid', nullable: true },
    state: { type: 'enum', values: ['new', 'old'] },
    parts: { type: 'json', schema: { type: 'object', required: ['a'] } },
    tags: { type: 'enum', values: ['x'], array: true }
  }
})

t.test('columns, flags and indexes', async (t) => {
  const { entities, problems } = compileEntities([{ definition: Item, place: null }], 'main')
  t.strictSame(problems, [])
  const [compiled] = entities
  if (compiled === undefined) throw new Error('it compiles')
  const { columns, ...view } = entityView(compiled, 'main', 'item', [])
  t.match(view, {
    storedAs: 'item',
    existing: false,
    readOnly: false,
    timestamps: true,
    softDelete: true,
    version: true
  })
  t.match(view.indexes, [{ fields: ['sku'], unique: true }])
  const shown = Object.fromEntries(columns.map(({ name, ...column }) => [name, column]))
  t.match(shown.sku, { type: 'string', maxLength: 20, unique: true, check: { pattern: '^[A-Z]+$' } })
  t.match(shown.price, { type: 'decimal', scale: 2, default: '0.00' })
  t.match(shown.units, { type: 'bigint' })
  t.notOk('scale' in (shown.units ?? {}), 'an integer has no decimals to tell of')
  t.match(shown.since, { type: 'day' })
  t.match(shown.code, { type: 'uuid', nullable: true })
  t.match(shown.state, { type: 'enum', values: ['new', 'old'] })
  t.match(shown.parts, { type: 'json', check: { required: ['a'] } })
  t.match(shown.tags, { type: 'enum[]', values: ['x'] })
  for (const name of ['createdAt', 'updatedAt', 'deletedAt', 'version']) t.equal(shown[name]?.managed, true, name)
})

t.test('an entity over an existing table, with the names of its columns', async (t) => {
  const existing = { name: 'tbl_items', columns: { id: 'no', sku: 'article' }, id: 'integer' } as const
  const definition = defineEntity({
    name: 'Item',
    existing,
    schema: { sku: { type: 'string' }, rest: { type: 'text' } }
  })
  const { entities } = compileEntities([{ definition, place: null }], 'main')
  const [compiled] = entities
  if (compiled === undefined) throw new Error('it compiles')
  const { columns, ...view } = entityView(compiled, 'main', 'tbl_items', [])
  t.match(view, { name: 'Item', storedAs: 'tbl_items', existing: true, readOnly: true })
  t.strictSame(
    columns.map(({ name, storedAs }) => [name, storedAs]),
    [
      ['id', 'no'],
      ['sku', 'article'],
      ['rest', undefined]
    ]
  )
})

t.test('Q10: an entity shows each reference to it, of its own as well', async (t) => {
  const relations = { home: { type: 'many-to-one', target: 'Country' } } as const
  const definitions = [
    defineEntity({
      name: 'Country',
      schema: { code: { type: 'string' } },
      relations: {
        people: { type: 'one-to-many', target: 'Person', mappedBy: 'home' },
        successor: { type: 'many-to-one', target: 'Country', nullable: true }
      }
    }),
    defineEntity({ name: 'Person', schema: { name: { type: 'string' } }, relations }),
    defineEntity({ name: 'Flag', schema: {}, relations: { of: { type: 'one-to-one', target: 'Country' } } }),
    defineEntity({ name: 'Stone', schema: { weight: { type: 'integer' } } })
  ]
  const { entities, problems } = compileEntities(
    definitions.map((definition) => ({ definition, place: null })),
    'main'
  )
  t.strictSame(problems, [])
  const referredBy = Object.fromEntries(
    entities.map((entity) => [entity.name, entityView(entity, 'main', '', entities).referredBy])
  )
  t.strictSame(referredBy, {
    Country: [
      { entity: 'Country', type: 'many-to-one', field: 'successor', foreignKey: 'successorId' },
      { entity: 'Person', type: 'many-to-one', field: 'home', foreignKey: 'homeId' },
      { entity: 'Flag', type: 'one-to-one', field: 'of', foreignKey: 'ofId' }
    ],
    Person: [],
    Flag: [],
    Stone: []
  })
})

t.test('a tree is shown by the field with the row above; an entity without one has none', async (t) => {
  const parent = { type: 'many-to-one', target: 'Folder', nullable: true } as const
  const definitions = [
    defineEntity({ name: 'Folder', schema: {}, relations: { parent }, tree: 'parent' }),
    defineEntity({ name: 'Page', schema: {}, relations: { folder: { type: 'many-to-one', target: 'Folder' } } })
  ]
  const { entities, problems } = compileEntities(
    definitions.map((definition) => ({ definition, place: null })),
    'main'
  )
  t.strictSame(problems, [])
  t.strictSame(
    entities.map((entity) => entityView(entity, 'main', '', entities).tree),
    ['parentId', undefined]
  )
})
