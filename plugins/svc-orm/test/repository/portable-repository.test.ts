/** What the repository adds to a gateway: counting, timestamps, one query per relation. What it means, the suite says. */
import t from 'tap'
import { conformanceEntities } from '../../src/conformance/fixtures.ts'
import type { EntityGateway } from '../../src/driver/entity-gateway.ts'
import { memoryConnector } from '../../src/memory/memory-connector.ts'
import { PortableRepository } from '../../src/repository/portable-repository.ts'
import { FlowStatistics } from '../../src/statistics/flow-statistics.ts'

const entities = conformanceEntities()

function entityNamed(name: string) {
  const entity = entities.find((each) => each.name === name)
  if (entity === undefined) throw new Error(name)
  return entity
}

t.test('operations are counted with their whole time, failed ones too', async (t) => {
  const flow = new FlowStatistics({ enabled: true, slowMs: 0 })
  const connector = memoryConnector({ flow })
  connector.prepare(entities)
  const pairs = connector.repository(entityNamed('Pair'))
  await pairs.create({ left: 'l', right: 'r' })
  await t.rejects(pairs.create({ left: 'l', right: 'r' }), { code: 'SVC_ORM_UNIQUE' })
  for (const call of ['find', 'findOne', 'count', 'exists', 'delete', 'deleteOne', 'findOneAndDelete'] as const) {
    await t.rejects(async () => pairs[call]({ nope: 1 }), { code: 'SVC_ORM_UNKNOWN_FIELD' })
  }
  await pairs.withTransaction((inside) => inside.count())
  t.strictSame(
    flow.view().slow.map(({ entity, operation }) => `${entity} ${operation}`),
    ['Pair count', 'Pair create', 'Pair create'],
    'what never reached the database is not counted'
  )
})

t.test('what a gateway does before its first await is counted as well', async (t) => {
  const flow = new FlowStatistics({ enabled: true, slowMs: 0 })
  const entity = entityNamed('Pair')
  const gateway: Pick<EntityGateway, 'count'> = {
    count() {
      throw new Error('at once')
    }
  }
  const host = {
    name: 'main',
    ids: memoryConnector().ids,
    clock: { now: () => 0 },
    flow,
    gateway: () => ({ entity, gateway: gateway as EntityGateway }),
    transaction: () => Promise.reject(new Error('none'))
  }
  await t.rejects(new PortableRepository(entity, host).count(), { message: 'at once' })
  t.equal(flow.view().total, 1)
})

t.test('timestamps come from the clock of the connector', async (t) => {
  let now = 1000
  const connector = memoryConnector({ clock: { now: () => now } })
  connector.prepare(entities)
  const pairs = connector.repository(entityNamed('Pair'))
  const { id } = await pairs.create({ left: 'l' })
  now = 2000
  const updated = await pairs.updateOne({ id }, { note: 'n' })
  t.strictSame([updated?.createdAt, updated?.updatedAt], [new Date(1000), new Date(2000)])
  now = 3000
  t.strictSame((await pairs.updateOne({ id }, { nope: 1 }))?.updatedAt, new Date(2000), 'nothing changed')
  await pairs.updateMany({ id }, { note: 'm' })
  t.strictSame((await pairs.findOne({ id }))?.updatedAt, new Date(3000))
  now = 4000
  t.strictSame((await pairs.upsert({ id }, { left: 'x' })).updatedAt, new Date(3000), 'an upsert leaves what is there')
})

t.test('relations of many rows are one query each', async (t) => {
  const flow = new FlowStatistics({ enabled: true, slowMs: 0 })
  const connector = memoryConnector({ flow })
  connector.prepare(entities)
  const authors = connector.repository(entityNamed('BookAuthor'))
  const books = connector.repository(entityNamed('Book'))
  const author = await authors.create({ name: 'Ada' })
  await books.createMany(Array.from({ length: 30 }, (_, index) => ({ title: `${index}`, authorId: author.id })))
  const before = flow.view().total
  const rows = await books.find({}, { relations: ['author'] })
  t.equal(rows.length, 30)
  t.not(rows[0]?.author, rows[1]?.author, 'each row has a copy of its own')
  t.equal(flow.view().total - before, 1, 'the relation belongs to its operation')
})
