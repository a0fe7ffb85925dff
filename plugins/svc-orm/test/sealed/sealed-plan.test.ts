/** The columns and indexes of sealed fields, and what a definition may not ask of one. */
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { EntityDefinition } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import { hashColumn } from '../../src/entities/hash-column.ts'

const compile = (definition: EntityDefinition) => compileEntities([{ definition, place: null }], 'main')

t.test('a sealed field is a column of text, and one of its hash where it is searchable', async (t) => {
  const { entities, problems } = compile({
    name: 'Patient',
    schema: {
      email: { type: 'email', unique: true, sealed: 'searchable', was: 'mail' },
      weight: { type: 'float', nullable: true, sealed: true, was: 'mass' },
      marks: { type: 'integer', array: true, sealed: true },
      name: { type: 'string', sealed: false }
    },
    indexes: [{ fields: ['name', 'email'] }]
  })
  t.strictSame(problems, [])
  const [entity] = entities
  if (entity === undefined) return
  const { columns, indexes = [] } = entityPlan(entity)
  t.equal(hashColumn('email'), 'emailHash')
  t.strictSame(columns, [
    { name: 'id', type: 'id' },
    { name: 'email', type: 'text', was: 'mail' },
    { name: 'emailHash', type: 'text', nullable: true, was: 'mailHash' },
    { name: 'weight', type: 'text', nullable: true, was: 'mass' },
    { name: 'marks', type: 'text' },
    { name: 'name', type: 'text' }
  ])
  t.strictSame(
    indexes.map((index) => index.columns),
    [['emailHash'], ['name', 'emailHash', 'id'], ['name', 'emailHash']]
  )
})

t.test('an existing table has no column for a hash', async (t) => {
  const existing = { name: 'patients', columns: { email: 'mail' } }
  const schema = { email: { type: 'string', sealed: 'searchable' } } as const
  t.match(compile({ name: 'Patient', existing, schema }).problems, [
    { code: 'SVC_ENTITY_EXISTING', message: /email is searchable/, fix: 'use sealed: true' }
  ])
  t.strictSame(compile({ name: 'Patient', existing, schema: { email: { type: 'string', sealed: true } } }).problems, [])
})

t.test('an index says nothing of a box', async (t) => {
  const fault = (indexes: EntityDefinition['indexes'], sealed: true | 'searchable') =>
    compile({ name: 'Patient', schema: { note: { type: 'string', sealed } }, indexes: indexes ?? [] }).problems
  for (const [indexes, sealed] of [
    [[{ fields: ['note'] }], true],
    [[{ fields: [{ field: 'note', fold: true }] }], 'searchable'],
    [[{ fields: ['note'], method: 'trigram' }], 'searchable'],
    [[{ fields: ['note'], where: { note: 'x' } }], 'searchable']
  ] as const) {
    t.match(fault(indexes, sealed)[0], { code: 'SVC_ENTITY_INDEX', message: /sealed/ }, JSON.stringify(indexes))
  }
  t.strictSame(fault([{ fields: ['note'], where: { note: null } }], 'searchable'), [])
})
