/** Rows that name a row which is gone: found and mended, by an anti join and in pages. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { EntityDefinition } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import { checkReferences, repairReferences } from '../../src/integrity/check-references.ts'
import { withHooks } from '../../src/repository/entity-hooks.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'

const schema = { name: { type: 'string' } } as const
const LOST = 2345

const deleted: string[] = []

const definitions: EntityDefinition[] = [
  { name: 'Owner', schema },
  {
    name: 'Kept',
    schema,
    version: true,
    relations: { owner: { type: 'many-to-one', target: 'Owner', nullable: true } }
  },
  withHooks(
    { name: 'Owned', schema, relations: { owner: { type: 'many-to-one', target: 'Owner', onDelete: 'cascade' } } },
    {
      beforeDelete: (row: { name: string }) => void deleted.push(row.name)
    }
  ) as EntityDefinition,
  {
    name: 'Part',
    schema,
    relations: {
      owned: { type: 'many-to-one', target: 'Owned', onDelete: 'cascade' },
      any: { type: 'many-to-one', target: 'Owner', nullable: true, onDelete: 'none' }
    }
  }
]

/** Rows are written past the repository, as by a race on a database that keeps no reference. */
async function seeded(references: boolean) {
  const database = Object.defineProperty(memoryDatabase(), 'references', { value: references })
  const { entities } = compileEntities(
    definitions.map((definition) => ({ definition, place: null })),
    'default'
  )
  const plain = entities.map((entity) => {
    const { references: _, ...plan } = entityPlan(entity)
    return database.table<Record<string, unknown>>(plan)
  })
  const [owners, kept, owned, parts] = plain
  const id = (index: number) => `${String(index).padStart(8, '0')}-0000-7000-8000-000000000000`
  await owners?.insert([{ id: id(0), name: 'there' }])
  const rows = (from: number, more: (index: number) => object) =>
    Array.from({ length: LOST }, (_, index) => ({ id: id(from + index), name: `${index}`, ...more(index) }))
  await kept?.insert(rows(0, (index) => ({ ownerId: index === 7 ? id(0) : id(50_000 + index), version: 1 })))
  await owned?.insert([
    { id: id(1), name: 'lost', ownerId: id(99) },
    { id: id(2), name: 'held', ownerId: id(0) }
  ])
  await parts?.insert([{ id: id(1), name: 'p', ownedId: id(1), anyId: id(98) }])
  const repositories = new EntityRepositories({ database, entities })
  return { repositories, id }
}

for (const references of [true, false]) {
  t.test(references ? 'by an anti join' : 'in pages', async (t) => {
    deleted.length = 0
    const { repositories, id } = await seeded(references)
    const checked = await checkReferences(repositories)
    t.strictSame(
      checked.map(({ entity, relation, dangling, repair }) => `${entity}.${relation} ${dangling} ${repair}`).sort(),
      ['Kept.owner 2344 setNull', 'Owned.owner 1 delete', 'Part.owned 0 delete']
    )
    const kept = checked.find(({ entity }) => entity === 'Kept')
    t.match(kept, { connector: 'memory', field: 'ownerId', target: 'Owner', onDelete: 'restrict' })
    t.strictSame(kept?.first, [0, 1, 2, 3, 4].map(id))

    const mended = await repairReferences(repositories)
    // A database that keeps references would have taken the part along: this one was told of none.
    const parts = references ? ['Part 1'] : []
    t.strictSame(mended.map(({ entity, dangling }) => `${entity} ${dangling}`).sort(), [
      'Kept 2344',
      'Owned 1',
      ...parts
    ])
    t.ok((await checkReferences(repositories)).every(({ dangling }) => dangling === 0))
    t.strictSame(await repairReferences(repositories), [])
    t.equal(await repositories.repository('Kept').count({ ownerId: null, version: 2 }), LOST - 1)
    t.equal(await repositories.repository('Kept').count({ ownerId: id(0), version: 1 }), 1)
    t.strictSame(deleted, ['lost'])
    t.strictSame(
      [await repositories.repository('Owned').count(), await repositories.repository('Part').count()],
      [1, 0]
    )
  })
}

const scope = 'organization'

const scoped: EntityDefinition[] = [
  { name: 'Team', scope, schema },
  {
    name: 'Player',
    scope,
    schema,
    relations: {
      team: { type: 'many-to-one', target: 'Team', nullable: true, onDelete: 'cascade' },
      captainOf: { type: 'many-to-one', target: 'Team', onDelete: 'cascade' }
    }
  }
]

for (const references of [true, false]) {
  t.test(
    `rows that name one of another scope, where the database ${references ? 'keeps' : 'does not keep'} references`,
    async (t) => {
      const database = Object.defineProperty(memoryDatabase(), 'references', { value: references })
      const { entities } = compileEntities(
        scoped.map((definition) => ({ definition, place: null })),
        'default'
      )
      const [teams, players] = entities.map((entity) => {
        const { references: _, ...plan } = entityPlan(entity)
        return database.table<Record<string, unknown>>(plan)
      })
      const id = (index: number) => `${String(index).padStart(8, '0')}-0000-7000-8000-000000000000`
      await teams?.insert([
        { id: id(1), name: 'of a', organizationId: 'a' },
        { id: id(2), name: 'of b', organizationId: 'b' }
      ])
      const player = (index: number, teamId: string | null, captainOfId: string) => ({
        ...{ id: id(index), name: `${index}`, organizationId: 'a' },
        ...{ teamId, captainOfId }
      })
      await players?.insert([
        player(11, id(1), id(1)),
        player(12, id(2), id(1)),
        player(13, id(9), id(1)),
        player(14, null, id(2))
      ])
      const repositories = new EntityRepositories({ database, entities })
      const found = await checkReferences(repositories)
      t.strictSame(
        found.map(({ relation, dangling, first, crossing }) => ({ relation, dangling, first, crossing })),
        [
          {
            relation: 'team',
            dangling: 1,
            first: [id(13)],
            crossing: { rows: 1, first: [id(12)], repair: 'setNull' }
          },
          {
            relation: 'captainOf',
            dangling: 0,
            first: [],
            crossing: { rows: 1, first: [id(14)], repair: null }
          }
        ]
      )
      t.match(await repairReferences(repositories), [{ relation: 'team', dangling: 1, crossing: { rows: 1 } }])
      // A row of another customer is not deleted for what it names.
      t.match(await checkReferences(repositories), [
        { dangling: 0, crossing: { rows: 0, first: [] } },
        { dangling: 0, crossing: { rows: 1, first: [id(14)] } }
      ])
      t.strictSame(await repairReferences(repositories), [])
      const left = await players?.find({}, { order: [{ field: 'id', direction: 'ASC' }] })
      t.strictSame(
        left?.map((row) => [row.id, row.teamId]),
        [
          [id(11), id(1)],
          [id(12), null],
          [id(14), null]
        ]
      )
    }
  )
}
