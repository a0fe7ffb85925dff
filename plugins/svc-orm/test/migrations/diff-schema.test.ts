/** The steps between two versions of entities, their way back, and the file that they become. */
import t from 'tap'
import { compileEntities } from '../../src/driver.ts'
import { defineEntity, type EntityDefinition } from '../../src/index.ts'
import { diffSchema } from '../../src/migrations/diff-schema.ts'
import { renameHints, schemaShape, stillOwn } from '../../src/migrations/entity-shape.ts'
import { migrationSource } from '../../src/migrations/migration-source.ts'
import { describeStep, inverse } from '../../src/migrations/schema-step.ts'

function steps(before: readonly EntityDefinition[], after: readonly EntityDefinition[]) {
  const [old, now] = [before, after].map((each) => compiled(each))
  return diffSchema(stillOwn(schemaShape(old ?? []), now ?? []), schemaShape(now ?? []), renameHints(now ?? []))
}

function compiled(definitions: readonly EntityDefinition[]) {
  const { entities, problems } = compileEntities(
    definitions.map((definition) => ({ definition, place: null })),
    'default'
  )
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join())
  return entities
}

const entity = (schema: EntityDefinition['schema'], more: Partial<EntityDefinition> = {}) =>
  defineEntity({ name: 'Article', ...more, schema })

const TITLE = { title: { type: 'string' } } as const

const CASES: readonly (readonly [
  name: string,
  before: EntityDefinition[],
  after: EntityDefinition[],
  steps: string[]
])[] = [
  ['nothing', [entity(TITLE)], [entity(TITLE)], []],
  ['a first entity', [], [entity(TITLE)], ['create Article']],
  ['one that goes', [entity(TITLE)], [], ['drop Article']],
  [
    'a name that goes and one that comes, without a hint',
    [entity(TITLE)],
    [entity({ head: { type: 'string' } })],
    ['add Article.head (text)', 'drop Article.title']
  ],
  [
    'the same with a hint',
    [entity(TITLE)],
    [entity({ head: { type: 'string', was: 'title' } })],
    ['rename Article.title to head']
  ],
  [
    'a hint that is done',
    [entity({ head: { type: 'string' } })],
    [entity({ head: { type: 'string', was: 'title' } })],
    []
  ],
  [
    'a field that is sealed in place: its column stays as it is',
    [entity({ phone: { type: 'string', maxLength: 20 }, note: { type: 'text' } })],
    [entity({ phone: { type: 'string', maxLength: 20, sealed: 'searchable' }, note: { type: 'text', sealed: true } })],
    ['add Article.phoneHash (text, may be null)']
  ],
  [
    'an index goes with the name of its column',
    [entity({ a: { type: 'string', unique: true } })],
    [entity({ b: { type: 'string', unique: true, was: 'a' } })],
    ['drop unique index (a) of Article', 'rename Article.a to b', 'add unique index (b) of Article']
  ],
  [
    'a type, null and a default',
    [entity({ a: { type: 'string' } })],
    [entity({ a: { type: 'integer', nullable: true, default: 5 } })],
    ['change Article.a from text to integer, may be null, default 5']
  ],
  [
    'what no database keeps',
    [entity({ a: { type: 'string' } })],
    [entity({ a: { type: 'text' } }, { module: 'shop' })],
    []
  ],
  [
    'M1: a type in the same column',
    [entity({ a: { type: 'string' }, b: { type: 'day' }, c: { type: 'date' }, d: { type: 'integer' } })],
    [entity({ a: { type: 'uuid' }, b: { type: 'string' }, c: { type: 'day' }, d: { type: 'uuid' } })],
    [
      'change Article.a from text to uuid; each value is checked',
      'change Article.b from day to text',
      'change Article.c from date to day',
      'change Article.d from integer to uuid'
    ]
  ],
  [
    'M1: fewer values, and more',
    [entity({ a: { type: 'enum', values: ['x', 'y'] }, b: { type: 'enum', values: ['x'] } })],
    [entity({ a: { type: 'enum', values: ['x'] }, b: { type: 'enum', values: ['x', 'y'] } })],
    [
      'change Article.a from one of x, y to one of x; each value is checked',
      'change Article.b from one of x to one of x, y'
    ]
  ],
  [
    'M1: a shorter text, a longer one, and bytes',
    [entity({ a: { type: 'text' }, b: { type: 'text', maxLength: 5 }, c: { type: 'bytes', maxLength: 9 } })],
    [entity({ a: { type: 'text', maxLength: 5 }, b: { type: 'text' }, c: { type: 'bytes', maxLength: 8 } })],
    [
      'change Article.a from text to text of at most 5 characters; each value is checked',
      'change Article.b from text of at most 5 characters to text',
      'change Article.c from bytes of at most 9 bytes to bytes of at most 8 bytes; each value is checked'
    ]
  ],
  [
    'M1: an index stays where its column stays',
    [entity({ a: { type: 'string', unique: true } })],
    [entity({ a: { type: 'string', unique: true, maxLength: 5 } })],
    ['change Article.a from text to text of at most 5 characters; each value is checked']
  ],
  [
    'M1: a default in capitals is the same default',
    [entity({ a: { type: 'uuid', default: 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6' } })],
    [entity({ a: { type: 'uuid', default: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6' } })],
    []
  ],
  [
    'an entity that is renamed',
    [entity(TITLE), entity(TITLE, { name: 'Other' })],
    [entity(TITLE, { name: 'Story', was: 'Article' })],
    ['drop Other', 'rename Article to Story']
  ],
  [
    'a reference that is renamed',
    [entity({}, { relations: { author: { type: 'many-to-one', target: 'Article' } } })],
    [entity({}, { relations: { writer: { type: 'many-to-one', target: 'Article', was: 'authorId' } } })],
    [
      'drop index (authorId, id) of Article',
      'drop index (authorId) of Article',
      'rename Article.authorId to writerId',
      'add index (writerId, id) of Article',
      'add index (writerId) of Article'
    ]
  ]
]

for (const [name, before, after, expected] of CASES) {
  t.test(name, (t) => {
    const found = steps(before, after)
    t.strictSame(found.map(describeStep), expected)
    t.strictSame(inverse(inverse(found)), found, 'the way back of the way back')
    t.end()
  })
}

t.test('names that were are no names that are', (t) => {
  const faulty = (definitions: readonly EntityDefinition[]) => () => compiled(definitions)
  t.throws(faulty([entity({ ...TITLE, head: { type: 'string', was: 'title' } })]), /was names title, which is a field/)
  t.throws(faulty([entity({ head: { type: 'string', was: 'id' } })]), /was names id/)
  t.throws(
    faulty([entity({ a: { type: 'string', was: 'x' }, b: { type: 'string', was: 'x' } })]),
    /another field also names x/
  )
  t.throws(
    faulty([entity(TITLE), entity(TITLE, { name: 'Story', was: 'Article' })]),
    /Story was Article, which is the current or previous name of Article/
  )
  const twice = [entity(TITLE, { name: 'A', was: 'X' }), entity(TITLE, { name: 'B', was: 'X' })]
  t.throws(faulty(twice), /B was X, which is the current or previous name of A/)
  t.end()
})

t.test('the file says each step, its way back, and marks what a person decides', (t) => {
  const found = steps(
    [entity({ flag: { type: 'boolean' }, gone: { type: 'string' } })],
    [entity({ flag: { type: 'date' }, sku: { type: 'string', default: "d'" }, need: { type: 'integer' } })]
  )
  const source = migrationSource(found)
  const [up = '', down = ''] = source.split('async down(m) {')
  t.match(
    up,
    /\/\/ DATA: give existing rows a value of Article\.need, which is required\n +await m\.addColumn\('Article', \{ name: 'need', type: 'integer' \}, \{ fill: undefined \}\)/
  )
  t.match(
    up,
    /\/\/ DATA: convert a boolean of Article\.flag into a date, \(value\) => \.\.\.\n.*\{ convert: undefined \}\)/
  )
  t.match(
    up,
    /\/\/ DATA: deletes every value of Article\.gone; writes of older instances then fail, .*\n +await m\.dropColumn\('Article', 'gone'\)/
  )
  t.match(up, `default: 'd\\''`)
  t.match(down, /await m\.addColumn\('Article', \{ name: 'gone', type: 'text' \}, \{ fill: undefined \}\)/)
  t.ok(source.split('\n').every((line) => line.length <= 160))
  t.end()
})

t.test('M1: a snapshot of an earlier version does not say what fields hold, which is no difference', async (t) => {
  const fields: EntityDefinition['schema'] = {
    ...{ a: { type: 'uuid' }, b: { type: 'enum', values: ['x'] }, c: { type: 'string', maxLength: 5 } },
    ...{ d: { type: 'bytes', maxLength: 5 }, e: { type: 'day' } }
  }
  const now = compiled([entity(fields)])
  const columns = [
    { name: 'id', type: 'id' },
    ...['a', 'b', 'c'].map((name) => ({ name, type: 'text' })),
    { name: 'd', type: 'bytes' },
    { name: 'e', type: 'text' }
  ]
  const before = JSON.parse(JSON.stringify({ Article: { columns, indexes: [] } }))
  t.strictSame(diffSchema(before, schemaShape(now), renameHints(now)), [])

  const nullable = compiled([entity({ ...fields, a: { type: 'uuid', nullable: true } })])
  const [step, ...others] = diffSchema(before, schemaShape(nullable), renameHints(nullable))
  t.strictSame(others, [])
  t.equal(step && describeStep(step), 'change Article.a from uuid to uuid, may be null')
})

t.test('M1: rows that took a default in capitals under an earlier version are written in lower case', async (t) => {
  const capitals = 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'
  const now = compiled([entity({ a: { type: 'uuid', default: capitals } })])
  const columns = [
    { name: 'id', type: 'id' },
    { name: 'a', type: 'text', default: capitals }
  ] as const
  const found = diffSchema({ Article: { columns, indexes: [] } }, schemaShape(now), renameHints(now))
  t.match(found, [
    {
      kind: 'changeColumn',
      from: { type: 'text', holds: undefined },
      to: { type: 'text', holds: 'uuid', default: capitals.toLowerCase() }
    }
  ])
  t.match(found.map(describeStep), [/each value is checked$/])
})

t.test('M1: the days of moments ask for their time zone, both ways', async (t) => {
  const source = migrationSource(steps([entity({ at: { type: 'date' } })], [entity({ at: { type: 'day' } })]))
  const [up = '', down = ''] = source.split('async down(m) {')
  const mark =
    /\/\/ DATA: set the time zone of the days of Article\.at, such as 'Europe\/Vienna'\n.*\{ zone: undefined \}\)/
  t.match(up, mark)
  t.match(down, mark)
  t.match(up, /changeColumn\('Article', \{ name: 'at', type: 'date' \}, \{ name: 'at', type: 'text', holds: 'day' \}/)
})

t.test('a table of somebody else is no part of migrations, also where it was one of the application', async (t) => {
  const given = entity(TITLE, { existing: { name: 'article' } })
  t.strictSame(steps([], [given]), [])
  t.strictSame(steps([entity(TITLE)], [given]), [])
  t.strictSame(steps([given], []), [])
})
