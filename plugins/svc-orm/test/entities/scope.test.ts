/** What a scope adds to an entity: its field, its place in indexes, and what is refused at boot. */
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { EntityDefinition } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import { crud, defineEntity } from '../../src/index.ts'

const compiled = (...definitions: readonly object[]) =>
  compileEntities(
    definitions.map((definition) => ({ definition: definition as EntityDefinition, place: 'a.ts:1' })),
    'default'
  )

const Note = defineEntity({
  name: 'Note',
  scope: 'organization',
  schema: { title: { type: 'string' }, slug: { type: 'string', unique: true }, stars: { type: 'integer', default: 0 } },
  relations: { parent: { type: 'many-to-one', target: 'Note', nullable: true } },
  indexes: [
    { fields: ['title', 'stars'], unique: true },
    { fields: ['stars'] },
    { fields: ['stars', 'organizationId'] }
  ],
  timestamps: true
})

t.test('its field is text, never null, and kept by the repository', (t) => {
  const [entity] = compiled(Note).entities
  t.strictSame(entity?.scope, { name: 'organization', field: 'organizationId' })
  t.match(entity?.fields.get('organizationId'), { type: 'string', nullable: false, managed: true, scope: true })
  t.match(
    entityPlan(entity as never).columns.find(({ name }) => name === 'organizationId'),
    { type: 'text' }
  )
  t.end()
})

t.test('it comes first in each index, and has one of its own', (t) => {
  t.strictSame(
    compiled(Note).entities[0]?.indexes.map(({ fields, unique }) => [fields.join(), unique]),
    [
      ['organizationId,id', false],
      ['organizationId,slug', true],
      ['organizationId,title,stars', true],
      ['organizationId,stars', false],
      ['organizationId,parentId', false]
    ]
  )
  t.end()
})

t.test('without a scope nothing is added', (t) => {
  const { scope: _, ...plain } = { ...Note, indexes: [] }
  const [entity] = compiled(plain).entities
  t.equal(entity?.scope, undefined)
  t.notOk(entity?.fields.has('organizationId'))
  t.strictSame(
    entity?.indexes.map(({ fields }) => fields.join()),
    ['slug', 'parentId']
  )
  t.end()
})

t.test('what cannot be is refused with its place', (t) => {
  const codes = (definition: object) => compiled(definition).problems.map(({ code, at }) => [code, at])
  const base = { name: 'Note', schema: { title: { type: 'string' } } }
  for (const scope of ['', 'Organization', 'my-org', '1', 7, null, 'a'.repeat(62)]) {
    t.strictSame(codes({ ...base, scope }), [['SVC_ENTITY_INVALID', 'a.ts:1']], String(scope))
  }
  const taken = { ...base, scope: 'organization', schema: { organizationId: { type: 'string' } } }
  t.strictSame(codes(taken), [['SVC_ENTITY_NAME', 'a.ts:1']])
  const related = { ...base, scope: 'note', relations: { note: { type: 'many-to-one', target: 'Note' } } }
  t.strictSame(codes(related), [['SVC_ENTITY_NAME', 'a.ts:1']])
  t.end()
})

t.test('over an existing table, the column is named', (t) => {
  const existing = { ...Note, relations: {}, existing: { name: 'notes' } }
  const [problem] = compiled(existing).problems
  t.match(problem, {
    code: 'SVC_ENTITY_EXISTING',
    message: 'Note: no column is named for its scope',
    fix: 'name the column of organizationId in existing.columns'
  })
  const named = { ...existing, existing: { name: 'notes', columns: { organizationId: 'org' } } }
  const { entities, problems } = compiled(named)
  t.strictSame(problems, [])
  t.match(entityPlan(entities[0] as never), {
    columns: [{}, {}, {}, {}, { name: 'org' }],
    indexes: [{ columns: ['org', 'slug'] }, { columns: ['org', 'title', 'stars'] }]
  })
  t.end()
})

t.test('generated bodies do not take it, answers and filters have it', (t) => {
  const { routes } = crud(Note)
  for (const route of [routes.create, routes.replace, routes.change]) {
    const { body } = route.schema as { body: { properties: object; required?: readonly string[] } }
    t.notOk('organizationId' in body.properties)
    t.notOk(body.required?.includes('organizationId'))
  }
  const { response, querystring } = routes.list.schema as {
    response: { 200: object }
    querystring: { properties: object }
  }
  t.match(JSON.stringify(response[200]), 'organizationId')
  t.ok('organizationId' in querystring.properties)
  t.end()
})
