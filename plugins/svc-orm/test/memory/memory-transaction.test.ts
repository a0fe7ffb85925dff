/** What a transaction meets when another change comes first. */
import t from 'tap'
import { conformanceEntities } from '../../src/conformance/fixtures.ts'
import { memoryConnector } from '../../src/memory/memory-connector.ts'

function open() {
  const connector = memoryConnector()
  const entities = conformanceEntities()
  connector.prepare(entities)
  const [thing] = entities
  if (thing === undefined) throw new Error('the suite has no entities')
  return { connector, things: connector.repository(thing) }
}

t.test('work runs again on what stands, when a row it changed was changed meanwhile', async (t) => {
  const { things } = open()
  const { id } = await things.create({ count: 1 })
  let runs = 0
  await things.withTransaction(async (inside) => {
    runs += 1
    const row = await inside.findOne({ id })
    if (runs === 1) await things.updateOne({ id }, { count: 10 })
    await inside.updateOne({ id }, { count: (row?.count as number) + 1 })
  })
  t.equal(runs, 2)
  t.equal((await things.findOne({ id }))?.count, 11)
})

t.test('a conflict that never ends is told', async (t) => {
  const { things } = open()
  const { id } = await things.create({ count: 1 })
  const work = things.withTransaction(async (inside) => {
    await inside.updateOne({ id }, { label: 'inside' })
    await things.increment({ id }, 'count')
  })
  await t.rejects(work, { code: 'SVC_ORM_CONFLICT', statusCode: 409 })
  t.equal((await things.findOne({ id }))?.label, null)
})

t.test('a unique value taken meanwhile undoes every table of the transaction', async (t) => {
  const { connector, things } = open()
  const books = connector.repository(conformanceEntities().find(({ name }) => name === 'Book') as never)
  const work = things.withTransaction(async (inside, tx) => {
    await books.withTransaction(tx).create({ title: 'lost' })
    await inside.create({ code: 'x', label: 'inside' })
    await things.create({ code: 'x', label: 'outside' })
  })
  await t.rejects(work, { code: 'SVC_ORM_UNIQUE' })
  t.equal(await books.count(), 0)
  t.strictSame(
    (await things.find()).map(({ label }) => label as string),
    ['outside']
  )
})

t.test('rows of one transaction may swap unique values', async (t) => {
  const { things } = open()
  const [a, b] = await things.createMany([{ code: 'a' }, { code: 'b' }])
  await things.withTransaction(async (inside) => {
    await inside.updateOne({ id: a?.id ?? '' }, { code: 'c' })
    await inside.updateOne({ id: b?.id ?? '' }, { code: 'a' })
    await inside.updateOne({ id: a?.id ?? '' }, { code: 'b' })
  })
  t.equal((await things.findOne({ code: 'a' }))?.id, b?.id)
  t.equal((await things.findOne({ code: 'b' }))?.id, a?.id)
})

t.test('transactions of another connector of the same name are foreign', async (t) => {
  const { things } = open()
  const other = open()
  await other.connector.transaction(async (tx) => {
    t.throws(() => things.withTransaction(tx), { code: 'SVC_ORM_FOREIGN_TRANSACTION' })
  })
})
