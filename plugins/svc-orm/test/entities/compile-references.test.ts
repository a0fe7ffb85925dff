/** What holds references together: defaults, who carries a rule out, and rules that cannot be. */
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { EntityDefinition } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'

const schema = { name: { type: 'string' } } as const

function compile(...definitions: unknown[]) {
  return compileEntities(
    definitions.map((definition) => ({ definition: definition as EntityDefinition, place: null })),
    'main'
  )
}

/** A row of it names one of `Owner`. */
const owned = (relation: object, more: object = {}) => ({
  name: 'Owned',
  schema,
  relations: { owner: { type: 'many-to-one', target: 'Owner', ...relation } },
  ...more
})
const Owner = { name: 'Owner', schema }

function reference(...definitions: unknown[]) {
  const { entities, problems } = compile(...definitions)
  t.same(problems, [])
  const entity = entities.find(({ name }) => name === 'Owned')
  return { kept: entity?.relations.get('owner')?.reference, plans: entity && entityPlan(entity).references }
}

t.test('restrict by default; none leaves no trace in the plan', async (t) => {
  t.match(reference(Owner, owned({})).kept, { onDelete: 'restrict', deferrable: false, byRepository: false })
  t.strictSame(reference(Owner, owned({})).plans, [
    { column: 'ownerId', relation: 'owner', table: 'owner', key: 'id', onDelete: 'restrict' }
  ])
  t.match(reference(Owner, owned({ onDelete: 'none' })), { kept: undefined, plans: undefined })
  t.match(reference(Owner, owned({ deferrable: true, onDelete: 'cascade' })).plans, [
    { onDelete: 'cascade', deferrable: true }
  ])
})

t.test('an existing table has none, unless its rows are named on purpose', async (t) => {
  const existing = { name: 'Owner', schema, existing: { name: 'legacy owners', columns: { id: 'Key' }, id: 'integer' } }
  t.equal(reference(existing, owned({})).kept, undefined)
  t.match(reference(existing, owned({ onDelete: 'restrict' })).plans, [{ table: 'legacy owners', key: 'Key' }])
  t.equal(reference(Owner, owned({}, { existing: { name: 'x' } })).kept, undefined)
})

t.test('a database never goes past hooks, marks, versions and times: the repository does what is said', async (t) => {
  const hooks = { beforeDelete: () => undefined }
  for (const [relation, more, byRepository] of [
    [{ onDelete: 'cascade' }, { hooks }, true],
    [{ onDelete: 'cascade' }, { hooks: { beforeUpdate: () => undefined } }, false],
    [{ onDelete: 'cascade' }, { version: true, timestamps: true }, false],
    [{ onDelete: 'setNull', nullable: true }, { version: true }, true],
    [{ onDelete: 'setNull', nullable: true }, { timestamps: true }, true],
    [{ onDelete: 'setNull', nullable: true }, { hooks: { afterUpdate: () => undefined } }, true],
    [{ onDelete: 'setNull', nullable: true }, { hooks }, false],
    [{}, { hooks, version: true }, false]
  ] as const) {
    const { kept, plans } = reference(Owner, owned(relation, more))
    t.equal(kept?.byRepository, byRepository, JSON.stringify([relation, Object.keys(more)]))
    if (byRepository) t.match(plans, [{ onDelete: 'restrict' }])
  }
  const behind = {
    name: 'Behind',
    schema,
    hooks,
    relations: { owned: { type: 'many-to-one', target: 'Owned', onDelete: 'cascade' } }
  }
  t.equal(reference(Owner, owned({ onDelete: 'cascade' }), behind).kept?.byRepository, true)
  t.equal(reference(Owner, owned({}), behind).kept?.byRepository, false)
  const marked = { softDelete: true }
  t.equal(reference({ ...Owner, ...marked }, owned({ onDelete: 'cascade' }, marked)).kept?.byRepository, true)
})

t.test('what cannot be is said when the application boots', async (t) => {
  const messages = (...definitions: unknown[]) => compile(...definitions).problems.map(({ message }) => message)
  const [wrong, other] = ['SVC_ENTITY_RELATION', 'SVC_ENTITY_INVALID']
  t.match(compile(Owner, owned({ onDelete: 'setNull' })).problems, [
    { code: wrong, message: /setNull needs a reference that may be null/, fix: 'add nullable: true' }
  ])
  t.match(messages(Owner, owned({ onDelete: 'none', deferrable: true })), [/deferrable has no effect/])
  t.match(messages(Owner, owned({ onDelete: 'cascade' }, { existing: { name: 'x' } })), [/maps an existing table/])
  t.match(messages(Owner, owned({ onDelete: 'cascade' }, { softDelete: true })), [
    /a row of Owned that is only marked as deleted would refer to a row of Owner that is gone/
  ])
  t.match(compile(Owner, owned({ onDelete: 'delete' })).problems, [{ code: other }])
  const children = { owned: { type: 'one-to-many', target: 'Owned', mappedBy: 'owner', onDelete: 'cascade' } }
  t.match(messages({ ...Owner, relations: children }, owned({})), [
    /onDelete belongs to the many-to-one relation on Owned/
  ])
})
