/** References between entities of one scope: what the database is to hold them to, and who carries a rule out. */
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { EntityDefinition } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'

const schema = { name: { type: 'string' } } as const
const scope = 'organization'

function plans(owner: object, owned: object, relation: object = {}) {
  const definitions = [
    { name: 'Owner', schema, ...owner },
    { name: 'Owned', schema, relations: { owner: { type: 'many-to-one', target: 'Owner', ...relation } }, ...owned }
  ]
  const { entities, problems } = compileEntities(
    definitions.map((definition) => ({ definition: definition as EntityDefinition, place: null })),
    'main'
  )
  t.same(problems, [])
  const [ownerPlan, ownedPlan] = entities.map(entityPlan)
  return { indexes: ownerPlan?.indexes, references: ownedPlan?.references, kept: entities[1]?.relations.get('owner') }
}

const PLAIN = { column: 'ownerId', relation: 'owner', table: 'owner', key: 'id', onDelete: 'restrict' }

t.test('of one scope: the reference is within it, and the rows that it names are unique by scope and id', async (t) => {
  const { indexes, references } = plans({ scope }, { scope })
  t.strictSame(references, [{ ...PLAIN, within: 'organizationId' }])
  t.strictSame(indexes, [
    { columns: ['organizationId', 'id'], unique: true, on: 'sql' },
    { columns: ['organizationId', 'id'], on: 'documents' }
  ])
})

t.test('of two scopes, of one entity only, and of an existing table: as without a scope', async (t) => {
  const plain = [{ columns: ['organizationId', 'id'] }]
  t.match(plans({ scope }, { scope: 'region' }), { references: [PLAIN], indexes: plain })
  t.strictSame(plans({ scope }, { scope: 'region' }).references, [PLAIN])
  t.strictSame(plans({ scope }, {}).indexes, plain)
  t.strictSame(plans({}, { scope }).references, [PLAIN])
  t.strictSame(plans({ scope }, { scope }, { onDelete: 'none' }).indexes, plain)
  const existing = { name: 'owners', columns: { organizationId: 'org' } }
  const { references } = plans({ scope, existing }, { scope }, { onDelete: 'restrict' })
  t.strictSame(references, [{ ...PLAIN, table: 'owners' }])
})

t.test('setNull empties the reference and not the scope: the repository does it', async (t) => {
  const { references, kept } = plans({ scope }, { scope }, { nullable: true, onDelete: 'setNull' })
  t.match(kept, { reference: { onDelete: 'setNull', byRepository: true } })
  t.strictSame(references, [{ ...PLAIN, within: 'organizationId' }])
  t.match(plans({ scope }, { scope }, { onDelete: 'cascade' }).references, [{ onDelete: 'cascade' }])
})
