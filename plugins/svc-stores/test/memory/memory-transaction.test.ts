/** What a transaction meets when another change comes first. */
import { memoryDatabase } from 'svc-stores/table'
import t from 'tap'

interface Thing {
  id: string
  code: string | null
  label: string | null
  count: number
}

function open() {
  const database = memoryDatabase()
  const things = database.table<Thing>({
    name: 'thing',
    columns: [
      { name: 'id', type: 'id' },
      { name: 'code', type: 'text', nullable: true },
      { name: 'label', type: 'text', nullable: true },
      { name: 'count', type: 'integer' }
    ],
    indexes: [{ columns: ['code'], unique: true }]
  })
  const thing = (values: Partial<Thing>): Thing => {
    return { id: database.ids.generate(), code: null, label: null, count: 0, ...values }
  }
  return { database, things, thing }
}

t.test('work runs again on what is there, when a row it changed was changed meanwhile', async (t) => {
  const { database, things, thing } = open()
  const row = thing({ count: 1 })
  const { id } = row
  await things.insert([row])
  let runs = 0
  await database.transaction(async (tx) => {
    const inside = things.within(tx)
    runs += 1
    const found = await inside.findOne({ id })
    if (runs === 1) await things.updateOne({ id }, { set: { count: 10 } })
    await inside.updateOne({ id }, { set: { count: (found?.count ?? 0) + 1 } })
  })
  t.equal(runs, 2)
  t.equal((await things.findOne({ id }))?.count, 11)
})

t.test('a conflict that never ends reaches the caller', async (t) => {
  const { database, things, thing } = open()
  const row = thing({ count: 1 })
  const { id } = row
  await things.insert([row])
  const work = database.transaction(async (tx) => {
    await things.within(tx).updateOne({ id }, { set: { label: 'inside' } })
    await things.updateOne({ id }, { add: { count: 1 } })
  })
  await t.rejects(work, { code: 'SVC_ORM_CONFLICT', statusCode: 409 })
  t.equal((await things.findOne({ id }))?.label, null)
})

t.test('a unique value taken meanwhile undoes every table of the transaction', async (t) => {
  const { database, things, thing } = open()
  const books = database.table<{ id: string }>({ name: 'book', columns: [{ name: 'id', type: 'id' }] })
  const work = database.transaction(async (tx) => {
    await books.within(tx).insert([{ id: database.ids.generate() }])
    await things.within(tx).insert([thing({ code: 'x', label: 'inside' })])
    await things.insert([thing({ code: 'x', label: 'outside' })])
  })
  await t.rejects(work, { code: 'SVC_ORM_UNIQUE' })
  t.equal(await books.count({}), 0)
  t.strictSame(
    (await things.find({})).map(({ label }) => label),
    ['outside']
  )
})

t.test('rows of one transaction may swap unique values', async (t) => {
  const { database, things, thing } = open()
  const [a, b] = [thing({ code: 'a' }), thing({ code: 'b' })]
  await things.insert([a, b])
  await database.transaction(async (tx) => {
    const inside = things.within(tx)
    await inside.updateOne({ id: a.id }, { set: { code: 'c' } })
    await inside.updateOne({ id: b.id }, { set: { code: 'a' } })
    await inside.updateOne({ id: a.id }, { set: { code: 'b' } })
  })
  t.equal((await things.findOne({ code: 'a' }))?.id, b.id)
  t.equal((await things.findOne({ code: 'b' }))?.id, a.id)
})

t.test('transactions of another database of the same name are foreign', async (t) => {
  const { things } = open()
  const other = open()
  await other.database.transaction(async (tx) => {
    t.throws(() => things.within(tx), { code: 'SVC_ORM_FOREIGN_TRANSACTION' })
  })
})
