/** What the repository adds to a table: counting, timestamps, one query per relation. What it means, the suite says. */
import { memoryDatabase, type Table } from 'svc-stores/table'
import t from 'tap'
import { conformanceEntities } from '../../src/conformance/fixtures.ts'
import type { AnyRow } from '../../src/entities/row-of.ts'
import { EntityRepositories } from '../../src/repository/entity-repositories.ts'
import { FlowStatistics } from '../../src/repository/flow-statistics.ts'

const entities = conformanceEntities()

t.test('operations are counted with their whole time, failed ones too', async (t) => {
  const flow = new FlowStatistics({ enabled: true, slowMs: 0 })
  const repositories = new EntityRepositories({ database: memoryDatabase(), entities, flow })
  const pairs = repositories.repository('Pair')
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

t.test('what a table does before its first await is counted as well', async (t) => {
  const flow = new FlowStatistics({ enabled: true, slowMs: 0 })
  const broken: Pick<Table<AnyRow>, 'count'> = {
    count() {
      throw new Error('at once')
    }
  }
  const database = Object.assign(memoryDatabase(), { table: () => broken as Table<never> })
  await t.rejects(new EntityRepositories({ database, entities, flow }).repository('Pair').count(), {
    message: 'at once'
  })
  t.equal(flow.view().total, 1)
})

t.test('timestamps come from the clock', async (t) => {
  let now = 1000
  const repositories = new EntityRepositories({ database: memoryDatabase(), entities, clock: { now: () => now } })
  const pairs = repositories.repository('Pair')
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
  const repositories = new EntityRepositories({ database: memoryDatabase(), entities, flow })
  const authors = repositories.repository('BookAuthor')
  const books = repositories.repository('Book')
  const author = await authors.create({ name: 'Ada' })
  await books.createMany(Array.from({ length: 30 }, (_, index) => ({ title: `${index}`, authorId: author.id })))
  const before = flow.view().total
  const rows = await books.find({}, { relations: ['author'] })
  t.equal(rows.length, 30)
  t.not(rows[0]?.author, rows[1]?.author, 'each row has a copy of its own')
  t.equal(flow.view().total - before, 1, 'the relation belongs to its operation')
})
