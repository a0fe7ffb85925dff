/** Rows of trees that are above themselves: found and mended. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { EntityDefinition } from '../../src/entities/entity-definition.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import { checkTrees, repairTrees } from '../../src/integrity/check-trees.ts'
import { withHooks } from '../../src/repository/entity-hooks.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'

const schema = { name: { type: 'string' } } as const
const id = (index: number) => `${String(index).padStart(8, '0')}-0000-7000-8000-000000000000`
const ROOTS = [{ field: 'parentId', operator: 'null', value: true }] as const
const changed: unknown[] = []

const Area = withHooks(
  {
    name: 'Area',
    scope: 'organization',
    schema,
    version: true,
    softDelete: true,
    relations: { parent: { type: 'many-to-one', target: 'Area', nullable: true, onDelete: 'none' } },
    tree: 'parent'
  },
  { beforeUpdate: (changes: object, row: { name: string }) => void changed.push([row.name, changes]) }
) as EntityDefinition

const Unit: EntityDefinition = {
  name: 'Unit',
  schema,
  existing: { name: 'units' },
  relations: { parent: { type: 'many-to-one', target: 'Unit', nullable: true } },
  tree: 'parent'
}

/** Rows are written past the repository. @param above the numbers of rows, with the one that each names */
async function seeded(definition: EntityDefinition, above: readonly (readonly [number, number | null])[]) {
  const database = memoryDatabase()
  const { entities, problems } = compileEntities([{ definition, place: null }], 'default')
  t.strictSame(problems, [])
  const repositories = new EntityRepositories({ database, entities })
  const [entity] = entities
  const table = database.table<Record<string, unknown>>(entityPlan(entity as NonNullable<typeof entity>))
  await table.insert(
    above.map(([number, parent]) => ({
      ...{ id: id(number), name: `${number}`, parentId: parent === null ? null : id(parent) },
      ...(definition.scope !== undefined && { organizationId: 'o', version: 1, deletedAt: null })
    }))
  )
  return { repositories, table }
}

t.test('circles of more rows than a page has', async (t) => {
  const long = 2500
  const chain = Array.from({ length: long }, (_, index) => [10 + index, 10 + ((index + 1) % long)] as const)
  const { repositories, table } = await seeded(Area, [
    [1, null],
    [2, 1],
    [3, 4],
    [4, 5],
    [5, 3],
    [6, 5],
    [7, 7],
    ...chain
  ])
  await table.update({ id: id(4) }, { set: { deletedAt: new Date() } })
  const found = { connector: 'memory', entity: 'Area', field: 'parentId', repair: 'setNull' } as const
  const all = { ...found, circling: 3 + 1 + long, circles: 3, first: [3, 7, 10].map(id) }
  t.strictSame(await checkTrees(repositories), [all])
  t.strictSame(await repairTrees(repositories), [all])
  t.strictSame(await checkTrees(repositories), [{ ...found, circling: 0, circles: 0, first: [] }])
  t.strictSame(await repairTrees(repositories), [])
  const roots = await table.find(ROOTS, { order: [{ field: 'id', direction: 'ASC' }] })
  t.strictSame(
    roots.map(({ name, version }) => [name, version]),
    [
      ['1', 1],
      ['3', 2],
      ['7', 2],
      ['10', 2]
    ]
  )
  t.strictSame(
    changed,
    ['3', '7', '10'].map((name) => [name, { parentId: null }])
  )
})

t.test('of a tree of many rows, a page and what is above it are read at a time', async (t) => {
  const leaves = Array.from({ length: 2500 }, (_, index) => [10 + index, 2 + (index % 2)] as const)
  const { repositories } = await seeded(Area, [[1, null], [2, 1], [3, 1], ...leaves])
  const whole = repositories.whole.bind(repositories)
  const read: number[] = []
  repositories.whole = (name, tx) => {
    const own = whole(name, tx)
    const find: typeof own.find = async (where, selection) => {
      const rows = await own.find(where, selection)
      read.push(rows.length)
      return rows
    }
    return { ...own, find }
  }
  t.match(await checkTrees(repositories), [{ circling: 0, circles: 0 }])
  // Of 2502 rows that are no roots: 2, 3 and 998 leaves with the root, then leaves with 2, 3 and the root.
  t.strictSame(read, [1000, 1, 1000, 3, 502, 3])
})

t.test('what looks like a circle while rows move is none', async (t) => {
  const { repositories, table } = await seeded(Area, [
    [1, 2],
    [2, null]
  ])
  const whole = repositories.whole.bind(repositories)
  let reads = 0
  repositories.whole = (name, tx) => {
    const own = whole(name, tx)
    const find: typeof own.find = async (where, selection) => {
      const rows = await own.find(where, selection)
      reads += 1
      // The first page shows 1 below 2 before 2 moves below 1.
      return reads === 1 ? [...rows, { id: id(2), parentId: id(1) } as never] : rows
    }
    return { ...own, find }
  }
  t.match(await checkTrees(repositories), [{ circling: 0, circles: 0 }])
  t.equal(reads, 2)
  t.strictSame(await repairTrees(repositories), [])
  t.equal(await table.count(ROOTS), 1)
})

t.test('a table that is only read is told, and left', async (t) => {
  const { repositories, table } = await seeded(Unit, [
    [1, 2],
    [2, 1]
  ])
  t.match(await checkTrees(repositories), [{ entity: 'Unit', circling: 2, circles: 1, first: [id(1)], repair: null }])
  t.strictSame(await repairTrees(repositories), [])
  t.equal(await table.count(ROOTS), 0)
})
