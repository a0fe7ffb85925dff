/** The key of an entity: its plan, what may be in it, and what goes with none. On databases: the conformance suite. */
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import { defineEntity, type EntityDefinition } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import { toDbml } from '../../src/export/to-dbml.ts'

const Student = defineEntity({ name: 'Student', schema: {} })
const Enrolment = defineEntity({
  name: 'Enrolment',
  key: ['studentId', 'term'],
  schema: { term: { type: 'string' }, grade: { type: 'integer', nullable: true } },
  relations: { student: { type: 'many-to-one', target: 'Student', onDelete: 'cascade' } },
  indexes: [{ fields: ['grade'] }, { fields: ['studentId', 'term'], unique: true }, { fields: ['term'] }]
})

function compiled(...definitions: readonly EntityDefinition[]) {
  return compileEntities(
    definitions.map((definition) => ({ definition, place: null })),
    'default'
  )
}

t.test('the table has the key and no id; no second index does what its index does', async (t) => {
  const { entities, problems } = compiled(Enrolment, Student)
  t.strictSame(problems, [])
  const [entity] = entities
  if (entity === undefined) throw new Error('it compiles')
  const { key, columns, indexes } = entityPlan(entity)
  t.strictSame(key, ['studentId', 'term'])
  t.strictSame(
    columns.map(({ name }) => name),
    ['term', 'grade', 'studentId']
  )
  t.strictSame(indexes, [
    { columns: ['grade', 'studentId', 'term'], on: 'sql' },
    { columns: ['grade'], on: 'documents' },
    { columns: ['term', 'studentId'], on: 'sql' },
    { columns: ['term'], on: 'documents' },
    { columns: ['studentId', 'term'], unique: true, on: 'documents' }
  ])
  t.match(toDbml([{ name: 'default', entities }]), /\("?studentId"?, "?term"?\) \[pk\]/)
})

const KEYED = { name: 'Keyed', key: ['a', 'b'] } as const
const A = { type: 'string' } as const

for (const [why, definition] of [
  ['names b, which is not a field', { ...KEYED, schema: { a: A } }],
  ['names b, which may be null', { ...KEYED, schema: { a: A, b: { type: 'string', nullable: true } } }],
  ['names b, which is neither text nor a whole number', { ...KEYED, schema: { a: A, b: { type: 'float' } } }],
  ['names b, which is hidden or sealed', { ...KEYED, schema: { a: A, b: { type: 'string', hidden: true } } }],
  ['names b, which is hidden or sealed', { ...KEYED, schema: { a: A, b: { type: 'string', sealed: true } } }],
  ['names version, which the repository writes', { ...KEYED, key: ['a', 'version'], schema: { a: A }, version: true }],
  ['goes with no scope', { ...KEYED, schema: { a: A, b: A }, scope: 'shop' }],
  ['goes with no search', { ...KEYED, schema: { a: A, b: A }, search: ['a'] }],
  ['goes with no list, such as c', { ...KEYED, schema: { a: A, b: A, c: { type: 'string', array: true } } }],
  ['is beside existing', { ...KEYED, schema: { a: A, b: A }, existing: { name: 'keyed' } }]
] as const satisfies readonly (readonly [string, EntityDefinition])[]) {
  t.test(`key ${why}`, async (t) => {
    const { problems } = compiled(definition)
    t.match(
      problems.filter(({ code }) => code === 'SVC_ENTITY_KEY'),
      [{ message: `Keyed: key ${why}` }]
    )
  })
}

t.test('no reference names it', async (t) => {
  const Note = defineEntity({
    name: 'Note',
    schema: {},
    relations: { enrolment: { type: 'many-to-one', target: 'Enrolment' } }
  })
  const { problems } = compiled(Note, Enrolment, Student)
  t.match(problems, [{ code: 'SVC_ENTITY_RELATION', message: /Enrolment has a key of several columns/ }])
})
