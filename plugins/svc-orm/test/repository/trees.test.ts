/** Trees beside what else an entity may say: hidden and sealed fields, large trees, rows of other software. */
import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { memoryDatabase } from 'svc-stores/table'
import t, { type Test } from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import type { CompiledEntity } from '../../src/entities/compiled-entity.ts'
import { entityPlan } from '../../src/entities/entity-plan.ts'
import svcOrm, { type AnyRow, defineEntity, type EntityDefinition, type Repository } from '../../src/index.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'

const Unit = defineEntity({
  name: 'Unit',
  schema: {
    name: { type: 'string' },
    budget: { type: 'integer', default: 1, hidden: true },
    code: { type: 'string', nullable: true, sealed: 'searchable' }
  },
  relations: { parent: { type: 'many-to-one', target: 'Unit', nullable: true } },
  tree: 'parent'
})
const Vault = defineEntity({
  name: 'Vault',
  schema: { name: { type: 'string' } },
  relations: { outer: { type: 'many-to-one', target: 'Vault', nullable: true, field: 'above' } },
  tree: 'outer'
})

async function repositories(t: Test) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  const entities: EntityDefinition[] = [Unit]
  await fastify.register(svcOrm, {
    ...{ memory: true, encryptionKey: randomBytes(32).toString('base64') },
    parts: { entities }
  })
  await fastify.ready()
  const of = (name: string) => fastify.orm.repository(name) as Repository
  return { units: of('Unit') }
}

const names = (rows: readonly AnyRow[]) => rows.map(({ name }) => name as unknown).join(' ')

t.test('walks begin with rows of a sealed value, and rows have it as it was given', async (t) => {
  const { units } = await repositories(t)
  const top = await units.create({ name: 'top', code: 'one' })
  const low = await units.create({ name: 'low', code: 'two', parentId: top.id })
  t.equal(names(await units.find({ $within: { code: 'one' } })), 'top low')
  t.equal(names(await units.find({ $pathTo: { code: 'two' } })), 'top low')
  const [found] = await units.descendants(top.id)
  t.match(found, { id: low.id, code: 'two' })
  await t.rejects(units.find({ $within: { code: { $gt: 'a' } } }), { code: 'SVC_ORM_CRITERIA' })
})

t.test('what callers ask knows no hidden field, and no row has one', async (t) => {
  const { units } = await repositories(t)
  const top = await units.create({ name: 'top' })
  await units.create({ name: 'low', parentId: top.id, budget: 7 })
  const shown = units.shown()
  const [low] = await shown.descendants(top.id)
  t.equal(low?.name, 'low')
  t.notOk(low !== undefined && 'budget' in low)
  t.equal(names(await shown.ancestors(low?.id ?? '', { self: true })), 'top low')
  await t.rejects(shown.find({ $within: { budget: 7 } } as never), { code: 'SVC_ORM_UNKNOWN_FIELD' })
})

t.test('more rows than are sorted in memory are refused, and found page by page', async (t) => {
  const { units } = await repositories(t)
  const top = await units.create({ name: 'top' })
  await units.createMany(Array.from({ length: 10_000 }, () => ({ name: 'low', parentId: top.id })))
  await t.rejects(units.descendants(top.id), { code: 'SVC_ORM_TREE_SIZE', statusCode: 400 })
  t.equal((await units.page({ $within: top.id }, { order: [['id', 'ASC']], limit: 10 } as never)).items.length, 10)
  t.equal(await units.count({ $within: top.id }), 10_001)
})

t.test('a circle that other software wrote ends, and no row is written into it', async (t) => {
  const { entities } = compileEntities([{ definition: Vault, place: null }], 'default')
  const database = memoryDatabase()
  const vaults = new EntityRepositories({ database, entities }).repository('Vault')
  const ids = ['one', 'two'].map(() => database.ids.generate())
  const [one, two] = ids as [string, string]
  await database.table<AnyRow>(entityPlan(entities[0] as CompiledEntity)).insert([
    { id: one, name: 'one', above: two },
    { id: two, name: 'two', above: one }
  ])
  t.equal(names(await vaults.descendants(one)), 'two')
  t.equal(names(await vaults.ancestors(one)), 'two')
  await t.rejects(vaults.create({ name: 'three', above: one }), { code: 'SVC_ORM_TREE_CYCLE' })
})

t.test('a path that is longer than a tree may be is refused', async (t) => {
  const { entities } = compileEntities([{ definition: Vault, place: null }], 'default')
  const database = memoryDatabase()
  const vaults = new EntityRepositories({ database, entities }).repository('Vault')
  const ids = Array.from({ length: 101 }, () => database.ids.generate())
  const rows = ids.map((id, place) => ({ id, name: 'v', above: ids[place - 1] ?? null }))
  await database.table<AnyRow>(entityPlan(entities[0] as CompiledEntity)).insert(rows)
  await t.rejects(vaults.ancestors(ids[100] ?? ''), { code: 'SVC_ORM_TREE_DEPTH', statusCode: 409 })
  t.equal((await vaults.ancestors(ids[99] ?? '')).length, 99)
  t.equal((await vaults.ancestors(ids[100] ?? '', { maxDepth: 100 })).length, 100)
})
