/** Names before, in the steps of a migration: where they count, and what carries them into the file. */
import t from 'tap'
import { defineEntity, type EntityDefinition } from '../../src/index.ts'
import { diffSchema } from '../../src/migrations/diff-schema.ts'
import { renameHints, schemaShape } from '../../src/migrations/entity-shape.ts'
import { migrationSource } from '../../src/migrations/migration-source.ts'
import { describeStep } from '../../src/migrations/schema-step.ts'
import { compiled } from '../support/migrated-project.ts'

const entity = (schema: EntityDefinition['schema'], more: Partial<EntityDefinition> = {}) =>
  defineEntity({ name: 'Article', ...more, schema })

function steps(before: readonly EntityDefinition[], after: readonly EntityDefinition[]) {
  const now = compiled(after)
  return diffSchema(schemaShape(compiled(before)), schemaShape(now), renameHints(now))
}

const TITLE = { title: { type: 'string' } } as const

t.test(
  'a table that is made carries the names before: where they are there, nothing is made beside them',
  async (t) => {
    const story = entity(
      { head: { type: 'string', was: 'title' }, note: { type: 'text' } },
      { name: 'Story', was: 'Article' }
    )
    t.match(steps([], [story]), [
      {
        kind: 'createTable',
        entity: 'Story',
        shape: {
          was: 'Article',
          columns: [{ name: 'id' }, { name: 'head', type: 'text', was: 'title' }, { name: 'note', was: undefined }]
        }
      }
    ])
    const source = migrationSource(steps([], [story]))
    t.match(source, /was: 'Article'/)
    t.match(source, /name: 'head', type: 'text', was: 'title'/)
    t.notOk('was' in (steps([], [entity(TITLE)])[0] as { shape: object }).shape)
  }
)

t.test('a column that is added carries its name before', async (t) => {
  const added = steps([entity({})], [entity({ head: { type: 'string', was: 'title' } })])
  t.match(added, [{ kind: 'addColumn', column: { name: 'head', was: 'title' } }])
  t.match(steps([entity({})], [entity(TITLE)]), [{ kind: 'addColumn', column: { name: 'title', was: undefined } }])
})

t.test('a hint counts where the old name is there alone', async (t) => {
  const head = entity({ head: { type: 'string', was: 'title' } })
  const described = (before: EntityDefinition) => steps([before], [head]).map(describeStep)
  t.strictSame(described(entity(TITLE)), ['rename Article.title to head'])
  t.strictSame(described(entity({ other: { type: 'string' } })), ['add Article.head (text)', 'drop Article.other'])
  t.strictSame(described(entity({ ...TITLE, head: { type: 'string' } })), ['drop Article.title'])
})

t.test('tables that go come first and new ones last, so that names are free', async (t) => {
  const [before, after] = [
    [entity(TITLE), entity({}, { name: 'Gone' })],
    [entity({}, { name: 'New' }), entity(TITLE, { name: 'Story', was: 'Article' })]
  ]
  t.strictSame(steps(before, after).map(describeStep), ['drop Gone', 'rename Article to Story', 'create New'])
})

t.test('an index is made again where its column gets another type or name, or its table another name', async (t) => {
  const indexed = (a: EntityDefinition['schema'][string], more: Partial<EntityDefinition> = {}) =>
    entity({ a, b: { type: 'string' } }, { indexes: [{ fields: ['a'], unique: true }, { fields: ['b'] }], ...more })
  const text = indexed({ type: 'string' })
  const [dropped, added] = ['drop unique index (a) of Article', 'add unique index (a) of Article']
  const described = (after: EntityDefinition) => steps([text], [after]).map(describeStep)
  t.strictSame(described(indexed({ type: 'integer' })), [dropped, 'change Article.a from text to integer', added])
  t.strictSame(described(indexed({ type: 'string', nullable: true })), [
    dropped,
    'change Article.a from text to text, may be null',
    added
  ])
  t.strictSame(described(indexed({ type: 'uuid' })), ['change Article.a from text to uuid; each value is checked'])
  t.strictSame(described(indexed({ type: 'string' }, { name: 'Story', was: 'Article' })), [
    dropped,
    'drop index (b, id) of Article',
    'drop index (b) of Article',
    'rename Article to Story',
    'add unique index (a) of Story',
    'add index (b, id) of Story',
    'add index (b) of Story'
  ])
  t.strictSame(described(entity({ a: { type: 'string' }, b: { type: 'string' } })), [
    dropped,
    'drop index (b, id) of Article',
    'drop index (b) of Article'
  ])
})
