/** Transactions: kept whole or not at all, invisible to others before, doomed by the first failure inside. */
import assert from 'node:assert/strict'
import { atOnce } from 'svc-stores/conformance'
import type { Transaction } from 'svc-stores/table'
import { type Cases, column, done, refused, Undone, undo } from './conformance-suite.ts'

export const transactionCases: Cases = {
  'what resolves is kept, with its result': async ({ things }) => {
    const label = await things.withTransaction(async (inside) => {
      const row = await inside.create({ label: 'kept' })
      await inside.updateOne({ id: row.id }, { count: 2 })
      assert.equal(await inside.count(), 1)
      return row.label as unknown
    })
    assert.equal(label, 'kept')
    assert.equal((await things.findOne({ label: 'kept' }))?.count, 2)
  },
  'what rejects is undone whole, and its error comes through': async ({ things, books }) => {
    const { id } = await things.create({ label: 'before', count: 1 })
    const work = things.withTransaction(async (inside, tx) => {
      await inside.create({ label: 'new' })
      await inside.createMany([{ label: 'new' }, { label: 'new' }])
      await inside.updateOne({ id }, { label: 'changed' })
      await inside.increment({ id }, 'count')
      await inside.upsert({ code: 'x' }, {})
      await inside.updateMany({}, { total: 1 })
      await books.withTransaction(tx).create({ title: 'new' })
      await inside.delete({ label: 'new' })
      await undo()
    })
    await assert.rejects(work, Undone)
    assert.deepEqual(column(await things.find(), 'label'), ['before'])
    const [row] = await things.find()
    assert.deepEqual([row?.count, row?.total], [1, null])
    assert.equal(await books.count(), 0)
  },
  'what is not kept yet is invisible outside': async ({ things }) => {
    const { id } = await things.create({ label: 'before' })
    await things.withTransaction(async (inside) => {
      await inside.updateOne({ id }, { label: 'inside' })
      await inside.create({ label: 'new' })
      assert.equal((await inside.findOne({ id }))?.label, 'inside')
      assert.equal((await things.findOne({ id }))?.label, 'before')
      assert.equal(await things.count(), 1)
    })
    assert.equal((await things.findOne({ id }))?.label, 'inside')
  },
  'several repositories in one transaction of the connector': async ({ connector, authors, books }) => {
    const author = await connector.transaction(async (tx) => {
      assert.equal(tx.connector, connector.name)
      const made = await authors.withTransaction(tx).create({ name: 'Ada' })
      const inside = books.withTransaction(tx)
      await inside.create({ title: 'one', authorId: made.id })
      const [book] = await inside.find({}, { relations: ['author'] })
      assert.equal(book?.author.name, 'Ada')
      return made
    })
    assert.equal(await books.count({ authorId: author.id }), 1)
  },
  'a unique violation inside undoes the transaction that does not catch it': async ({ things }) => {
    await things.create({ code: 'x' })
    const work = things.withTransaction(async (inside) => {
      await inside.create({ label: 'new' })
      await inside.create({ code: 'x' })
    })
    await assert.rejects(work, { code: 'SVC_ORM_UNIQUE' })
    assert.equal(await things.count(), 1)
  },
  'D2: a unique violation that its work catches undoes the transaction, which rejects with it, after one run': async ({
    things
  }) => {
    await things.create({ code: 'x' })
    let runs = 0
    const work = things.withTransaction(async (inside) => {
      runs += 1
      await inside.create({ label: 'before' })
      await refused(() => inside.create({ code: 'x' }), 'SVC_ORM_UNIQUE')
      return 'caught'
    })
    await assert.rejects(work, { code: 'SVC_ORM_UNIQUE', statusCode: 409 })
    assert.equal(runs, 1)
    assert.equal(await things.count(), 1)
  },
  'D2: after a failure every operation of the transaction fails with it, side by side with it too': async ({
    things,
    books
  }) => {
    await things.create({ code: 'x' })
    let runs = 0
    const work = things.withTransaction(async (inside, tx) => {
      runs += 1
      const outcomes = await Promise.allSettled(['x', 'y', 'z'].map((code) => inside.create({ code })))
      const [first] = outcomes
      assert.equal(first?.status, 'rejected')
      await refused(() => inside.create({ label: 'after' }), 'SVC_ORM_UNIQUE')
      await refused(() => inside.updateMany({}, { count: 1 }), 'SVC_ORM_UNIQUE')
      await refused(() => inside.find(), 'SVC_ORM_UNIQUE')
      await refused(() => books.withTransaction(tx).create({ title: 'after' }), 'SVC_ORM_UNIQUE')
      await refused(() => tx.savepoint(done), 'SVC_ORM_UNIQUE')
      return 'caught'
    })
    await refused(() => work, 'SVC_ORM_UNIQUE', 409)
    assert.equal(runs, 1)
    assert.equal(await things.count(), 1)
    assert.equal(await books.count(), 0)
  },
  'D2: work that catches a failure may reject with an error of its own': async ({ things }) => {
    await things.create({ code: 'x' })
    const work = things.withTransaction(async (inside) => {
      await inside.create({ code: 'x' }).catch(undo)
    })
    await assert.rejects(work, Undone)
    assert.equal(await things.count(), 1)
  },
  'D2: values that a field cannot hold never reach the database, and doom nothing': async ({ things }) => {
    await things.withTransaction(async (inside) => {
      await refused(() => inside.create({ count: 'many' as never }), 'SVC_ORM_VALUE')
      await inside.create({ label: 'kept' })
    })
    assert.deepEqual(column(await things.find(), 'label'), ['kept'])
  },
  'twenty transactions that add to one row lose nothing': async ({ things }) => {
    const { id } = await things.create({})
    await atOnce(20, () =>
      things.withTransaction(async (inside) => {
        await inside.increment({ id }, 'count')
        await inside.create({ label: 'trace' })
      })
    )
    assert.equal((await things.findOne({ id }))?.count, 20)
    assert.equal(await things.count({ label: 'trace' }), 20)
  },
  'a transaction that ended, and one of elsewhere, are refused': async ({ connector, things }) => {
    let kept: Transaction | undefined
    await connector.transaction(async (tx) => {
      kept = tx
    })
    const over = kept
    assert.ok(over !== undefined)
    await refused(async () => things.withTransaction(over).create({}), 'SVC_ORM_TRANSACTION_OVER')
    await refused(async () => over.savepoint(done), 'SVC_ORM_TRANSACTION_OVER')
    const foreign: Transaction = { connector: 'elsewhere', savepoint: (work) => work(foreign) }
    await refused(async () => things.withTransaction(foreign).count(), 'SVC_ORM_FOREIGN_TRANSACTION')
    assert.equal(await things.count(), 0)
  },
  'a transaction that read nothing and wrote nothing ends as well': async ({ connector }) => {
    assert.equal(await connector.transaction(async () => 5), 5)
    await assert.rejects(connector.transaction(undo), Undone)
  }
}
