/** Entities as migrations see them: what the database keeps of them, and what they were called. */
import t from 'tap'
import { defineEntity, type EntityDefinition } from '../../src/index.ts'
import { migratedIndex, renameHints, schemaShape } from '../../src/migrations/entity-shape.ts'
import { compiled } from '../support/migrated-project.ts'

const SCHEMA: EntityDefinition['schema'] = {
  code: { type: 'uuid' },
  note: { type: 'string', maxLength: 5, nullable: true, was: 'text' }
}
const OLD = { type: 'integer', was: 'older', retired: true } as const

const entity = (more: Partial<EntityDefinition> = {}) =>
  defineEntity({
    name: 'Article',
    schema: SCHEMA,
    indexes: [{ fields: ['code', 'note'], unique: true }],
    ...more
  })

const COLUMNS = [
  { name: 'id', type: 'id' },
  { name: 'code', type: 'text', holds: 'uuid' },
  { name: 'note', type: 'text', nullable: true, holds: 'string', maxLength: 5 }
]

t.test('columns say what their fields hold, unique indexes which of their columns may be null', async (t) => {
  t.strictSame(schemaShape(compiled([entity()])), {
    Article: { columns: COLUMNS, indexes: [{ columns: ['code', 'note'], unique: true, nullable: ['note'] }] }
  })
  const columns = [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'text', nullable: true },
    { name: 'c', type: 'text', nullable: true }
  ] as const
  t.strictSame(migratedIndex({ columns: ['a'] }, columns), { columns: ['a'] })
  t.strictSame(migratedIndex({ columns: ['c', 'a'] }, columns), { columns: ['c', 'a'], nullable: ['c'] })
})

t.test('a retired field stays where it is, under either name and either entity, and is never made', async (t) => {
  const retiring = entity({ schema: { ...SCHEMA, old: OLD } })
  const names = (before: Parameters<typeof schemaShape>[1], definition = retiring) =>
    Object.values(schemaShape(compiled([definition]), before))[0]?.columns.map(({ name }) => name)
  const having = (column: string, name = 'Article') => ({
    [name]: { columns: [{ name: column, type: 'integer' } as const], indexes: [] }
  })
  const [without, kept] = [
    ['id', 'code', 'note'],
    ['id', 'code', 'note', 'old']
  ]
  t.strictSame(names(undefined), without)
  t.strictSame(names(having('other')), without)
  t.strictSame(names(having('old')), kept)
  t.strictSame(names(having('older')), kept)
  t.strictSame(names(having('old', 'Story')), without)
  t.strictSame(names(having('old', 'Story'), { ...retiring, was: 'Story' }), kept)
  const [shape] = Object.values(schemaShape(compiled([retiring]), having('old')))
  t.strictSame(shape?.columns.at(-1), { name: 'old', type: 'integer', nullable: true })
})

t.test('names before, of entities, fields and retired fields', async (t) => {
  const story = entity({ name: 'Story', was: 'Article', schema: { ...SCHEMA, old: OLD } })
  t.strictSame(renameHints(compiled([story])), {
    entities: { Story: 'Article' },
    columns: { Story: { note: 'text', old: 'older' } }
  })
  t.strictSame(renameHints(compiled([entity({ schema: {}, indexes: [] })])), { entities: {}, columns: { Article: {} } })
})
