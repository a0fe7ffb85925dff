/** The steps between two versions of entities, their way back, and the file that they become. */
import t from 'tap'
import { compileEntities, defineEntity, type EntityDefinition } from '../../src/index.ts'
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
    [entity({ a: { type: 'string', maxLength: 5 } })],
    [entity({ a: { type: 'text' } }, { module: 'shop' })],
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
    /another field was x/
  )
  t.throws(
    faulty([entity(TITLE), entity(TITLE, { name: 'Story', was: 'Article' })]),
    /Story was Article, which Article is/
  )
  const twice = [entity(TITLE, { name: 'A', was: 'X' }), entity(TITLE, { name: 'B', was: 'X' })]
  t.throws(faulty(twice), /B was X, which A is, or was/)
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
    /\/\/ DATA: what Article\.need holds in rows that stand, as it is required\n +await m\.addColumn\('Article', \{ name: 'need', type: 'integer' \}, \{ fill: undefined \}\)/
  )
  t.match(
    up,
    /\/\/ DATA: how a boolean of Article\.flag becomes a date, \(value\) => \.\.\.\n.*\{ convert: undefined \}\)/
  )
  t.match(
    up,
    /\/\/ DATA: every value of Article\.gone goes, and instances of .* fail: .*\n +await m\.dropColumn\('Article', 'gone'\)/
  )
  t.match(up, `default: 'd\\''`)
  t.match(down, /await m\.addColumn\('Article', \{ name: 'gone', type: 'text' \}, \{ fill: undefined \}\)/)
  t.ok(source.split('\n').every((line) => line.length <= 160))
  t.end()
})

t.test('a table of somebody else is no part of migrations, also where it was one of the application', async (t) => {
  const given = entity(TITLE, { existing: { name: 'article' } })
  t.strictSame(steps([], [given]), [])
  t.strictSame(steps([entity(TITLE)], [given]), [])
  t.strictSame(steps([given], []), [])
})
