/** The exports are read by the tools of their formats, and say what the entities say. */
import { Parser } from '@dbml/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { conformanceEntities } from '../../src/conformance/fixtures.ts'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import { toDbml } from '../../src/export/to-dbml.ts'
import { toJsonSchema } from '../../src/export/to-json-schema.ts'

const entities = conformanceEntities()
const connectors = [
  { name: 'default', entities },
  { name: 'odd "name"', entities }
]

t.test('DBML is read by @dbml/core', async (t) => {
  const database = new Parser().parse(toDbml(connectors), 'dbmlv2')
  const schema = database.schemas.find(({ name }) => name === 'default')
  t.strictSame(schema?.tables.map(({ name }) => name).slice(0, 8), [
    'thing',
    'pair',
    'book_author',
    'book',
    'passport',
    'folder',
    'page',
    'letter'
  ])
  const thing = schema?.tables[0]
  t.strictSame(thing?.fields.map(({ name }) => name).slice(0, 3), ['id', 'label', 'code'])
  t.match(thing?.fields[0], { pk: true })
  t.match(thing?.fields[2], { unique: true })
  t.match(thing?.fields[5], { not_null: true })
  const pair = schema?.tables[1]
  t.match(pair?.indexes[0], { unique: true })
  t.strictSame(
    database.schemas
      .flatMap(({ refs }) => refs)
      .slice(0, 3)
      .map(({ endpoints }) =>
        endpoints.map(({ tableName, fieldNames, relation }) => `${tableName}.${fieldNames.join()} ${relation}`)
      ),
    [
      ['book_author.mentorId *', 'book_author.id 1'],
      ['book.authorId *', 'book_author.id 1'],
      ['passport.heldBy 1', 'book_author.id 1']
    ]
  )
})

t.test('D10: where a connector calls its tables otherwise, so does the DBML', async (t) => {
  const documents = { name: 'documents', entities, storedAs: ({ name }: { name: string }) => name }
  const [schema] = new Parser().parse(toDbml([documents]), 'dbmlv2').schemas.filter(({ name }) => name === 'documents')
  t.strictSame(schema?.tables.map(({ name }) => name).slice(0, 8), [
    'Thing',
    'Pair',
    'BookAuthor',
    'Book',
    'Passport',
    'Folder',
    'Page',
    'Letter'
  ])
  t.match(toDbml([documents]), 'Ref: "documents"."Book"."authorId" > "documents"."BookAuthor"."id"')
  const cascading = 'Ref: "documents"."PurchaseLine"."purchaseId" > "documents"."Purchase"."id" [delete: cascade]'
  t.match(toDbml([documents]), cascading)
  t.match(toDbml([documents]), '"Remark"."purchaseId" > "documents"."Purchase"."id" [delete: set null]')
})

t.test('a reference within a scope has the columns of its key, and is read by @dbml/core', async (t) => {
  const schema = { name: { type: 'string' } } as const
  const team = { type: 'many-to-one', target: 'Team', onDelete: 'cascade' } as const
  const { entities } = compileEntities(
    [
      { name: 'Team', scope: 'organization', schema },
      { name: 'Player', scope: 'organization', schema, relations: { team } }
    ].map((definition) => ({ definition, place: null })),
    'main'
  )
  const dbml = toDbml([{ name: 'main', entities }])
  const columns = (name: string) => `("organizationId", "${name}")`
  t.match(dbml, `Ref: "main"."player".${columns('teamId')} > "main"."team".${columns('id')} [delete: cascade]`)
  const { schemas } = Parser.parse(dbml, 'dbml')
  t.strictSame(
    schemas.find(({ name }) => name === 'main')?.refs[0]?.endpoints.map(({ fieldNames }) => fieldNames),
    [
      ['organizationId', 'teamId'],
      ['organizationId', 'id']
    ]
  )
})

t.test('texts of a definition cannot break out of the DBML', async (t) => {
  const hostile = "it's '}\n Table evil { id int } // \\"
  const { entities } = compileEntities(
    [
      {
        definition: {
          name: 'Thing',
          module: hostile.slice(0, 90),
          schema: { text: { type: 'string', default: hostile } }
        },
        place: null
      }
    ],
    'default'
  )
  const database = new Parser().parse(toDbml([{ name: 'default', entities }]), 'dbmlv2')
  t.strictSame(
    database.schemas.flatMap(({ tables }) => tables.map(({ name }) => name)),
    ['thing']
  )
})

t.test('types of fields are what they are: digits, values, rules', async (t) => {
  const hostile = 'a"}\n Table evil { id int } \\'
  const schema = {
    price: { type: 'decimal', scale: 2, check: { min: '0' } },
    state: { type: 'enum', values: ['new', hostile], default: 'new' },
    states: { type: 'enum', values: ['x'], array: true },
    since: { type: 'day' },
    units: { type: 'bigint' },
    photo: { type: 'bytes', maxLength: 4 },
    sku: { type: 'string', maxLength: 9, check: { pattern: "^'+$" } }
  } as const
  const definition = { name: 'Item', softDelete: true, version: true, schema }
  const { entities, problems } = compileEntities([{ definition, place: null }], 'default')
  t.strictSame(problems, [])
  const [found] = new Parser().parse(toDbml([{ name: 'default', entities }]), 'dbmlv2').schemas.slice(-1)
  const [item, ...others] = found?.tables ?? []
  t.equal(others.length, 0)
  const types = Object.fromEntries(item?.fields.map(({ name, type }) => [name, type.type_name]) ?? [])
  t.match(types, {
    price: 'decimal(19,2)',
    state: 'item_state',
    since: 'date',
    units: 'bigint',
    photo: 'bytea',
    sku: 'varchar(9)'
  })
  t.equal(types.states, 'default.item_states[]')
  t.match(found?.enums, [{ name: 'item_state', values: [{ name: 'new' }, {}] }, { name: 'item_states' }])
  t.match(item?.note, 'deleted rows are marked, a version per row')
  t.match(item?.fields.find(({ name }) => name === 'sku')?.note, 'pattern')
})

t.test('no entities at all are a DBML as well', async (t) => {
  t.ok(new Parser().parse(toDbml([]), 'dbmlv2'))
})

t.test('JSON Schema is compiled by ajv, and takes rows as they are sent', async (t) => {
  const ajv = new Ajv2020({
    strict: true,
    formats: {
      'date-time': true,
      date: true,
      uuid: true,
      int64: true,
      byte: true,
      email: true,
      uri: true,
      duration: true
    }
  })
  const schema = JSON.parse(toJsonSchema(connectors)) as { $defs: Record<string, object> }
  ajv.addSchema(schema, 'model')
  t.strictSame(Object.keys(schema.$defs).slice(0, 2), ['default.Thing', 'default.Pair'])
  for (const name of Object.keys(schema.$defs)) {
    t.type(ajv.getSchema(`model#/$defs/${encodeURIComponent(name)}`), 'function', name)
  }
  const judge = ajv.getSchema('model#/$defs/default.Book')
  const author = { id: 'a', name: 'Ada', mentorId: null }
  t.equal(judge?.({ id: 'x', title: 't', authorId: 'a', author }), true)
  t.equal(judge?.({ id: 'x', title: 't', authorId: null, author: null }), true)
  t.equal(judge?.({ id: 'x', title: 't' }), false)
  t.equal(judge?.({ id: 'x', title: 5, authorId: null }), false)
  t.equal(judge?.({ id: 'x', title: 't', authorId: null, nope: 1 }), false)
})

t.test(
  'X3: the schema of rows has no hidden field; the tables keep their columns, without what they hold',
  async (t) => {
    const schema = {
      title: { type: 'string' },
      passwordHash: { type: 'string', default: 'argon' },
      memo: { type: 'string', maxLength: 9, hidden: true, check: { pattern: '^argon$' } }
    } as const
    const { entities } = compileEntities([{ definition: { name: 'Account', schema }, place: null }], 'default')
    const exported = [{ name: 'default', entities }]
    const rows = toJsonSchema(exported)
    t.notMatch(rows, /passwordHash|memo|argon/)
    t.match(JSON.parse(rows).$defs['default.Account'].required, ['id', 'title'])
    const tables = toDbml(exported)
    t.match(tables, `"passwordHash" varchar [not null, note: 'hidden']`)
    t.match(tables, `"memo" varchar(9) [not null, note: 'hidden']`)
    t.notMatch(tables, 'argon')
    t.doesNotThrow(() => new Parser().parse(tables, 'dbmlv2'))
  }
)
