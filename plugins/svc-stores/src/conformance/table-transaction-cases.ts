/** Cases of the port: transactions over several tables, their conflicts, and what a failure inside them means. */
import assert from 'node:assert/strict'
import { JoinedDatabase } from '../table/joined-database.ts'
import { afterCommit, type Transaction } from '../table/transaction.ts'
import { atOnce } from './conformance-suite.ts'
import type { TableCases } from './table-fixtures.ts'

export const transactionCases: TableCases = {
  'a transaction keeps all of its changes or none': async ({ database, notes, marks, note }) => {
    const row = note({ tags: ['kept'] })
    await database.transaction(async (tx) => {
      await notes.within(tx).insert([row])
      await marks.within(tx).insert([{ id: 'm', until: 1 }])
      assert.equal(await notes.within(tx).count({}), 1)
    })
    assert.deepEqual([await notes.count({}), await marks.count({})], [1, 1])
    const failed = database.transaction(async (tx) => {
      await notes.within(tx).delete({})
      await marks.within(tx).update({ id: 'm' }, { add: { until: 1 } })
      throw new Error('undo')
    })
    await assert.rejects(failed, /undo/)
    assert.deepEqual(await notes.findOne({ id: row.id }), row)
    assert.equal((await marks.findOne({ id: 'm' }))?.until, 1)
  },
  'of transactions at once that change what they read, none is lost': async ({ database, marks }) => {
    await marks.insert([{ id: 'm', until: 0 }])
    await atOnce(8, () =>
      database.transaction(async (tx) => {
        const mark = await marks.within(tx).findOne({ id: 'm' })
        await marks.within(tx).update({ id: 'm' }, { set: { until: (mark?.until ?? 0) + 1 } })
      })
    )
    assert.equal((await marks.findOne({ id: 'm' }))?.until, 8)
  },
  'a locked row stays as it is read until the transaction ends': async ({ database, marks }) => {
    await marks.insert([{ id: 'm', until: 0 }])
    await atOnce(8, () =>
      database.transaction(async (tx) => {
        const [mark] = await marks.within(tx).find({ id: 'm' }, { lock: 'update' })
        await marks.within(tx).update({ id: 'm' }, { set: { until: (mark?.until ?? 0) + 1 } })
      })
    )
    assert.equal((await marks.findOne({ id: 'm' }))?.until, 8)
  },
  'the first failure dooms a transaction, also where its work goes on': async ({ database, notes, marks, note }) => {
    await notes.insert([note({ slug: 'taken' })])
    const doomed = database.transaction(async (tx) => {
      await marks.within(tx).insert([{ id: 'm', until: 1 }])
      await assert.rejects(notes.within(tx).insert([note({ slug: 'taken' })]), { code: 'SVC_ORM_UNIQUE' })
      await assert.rejects(marks.within(tx).count({}), { code: 'SVC_ORM_UNIQUE' })
    })
    await assert.rejects(doomed, { code: 'SVC_ORM_UNIQUE' })
    assert.equal(await marks.count({}), 0)
  },
  'what is to follow a commit follows it once, and follows nothing that was undone': async ({ database, marks }) => {
    await marks.insert([{ id: 'm', until: 0 }])
    const told: string[] = []
    const work = (end: () => void) =>
      database.transaction(async (tx) => {
        afterCommit(tx, () => told.push('kept'))
        await tx.savepoint(async (point) => afterCommit(point, () => told.push('part')))
        await marks.within(tx).update({ id: 'm' }, { add: { until: 1 } })
        assert.equal(told.length, 0)
        end()
      })
    await assert.rejects(
      work(() => {
        throw new Error('undo')
      }),
      /undo/
    )
    assert.equal(told.length, 0)
    await work(() => undefined)
    assert.equal(told.join(), 'kept,part')
    if (!database.savepoints) return
    await database.transaction(async (tx) => {
      const failed = tx.savepoint(async (point) => {
        afterCommit(point, () => told.push('undone'))
        throw new Error('undo')
      })
      await assert.rejects(failed, /undo/)
    })
    assert.equal(told.join(), 'kept,part')
    await database.transaction(async (tx) => {
      const failed = tx.savepoint(async () => {
        afterCommit(tx, () => told.push('undone with the savepoint'))
        throw new Error('undo')
      })
      await assert.rejects(failed, /undo/)
    })
    assert.equal(told.join(), 'kept,part', 'M10: what a savepoint asks of the transaction around it is its own')
  },
  'a database inside a transaction is part of it': async ({ database, marks, notes, note }) => {
    const work = (end: () => void) =>
      database.transaction(async (tx) => {
        const joined = new JoinedDatabase(database, tx)
        await joined.table(marks.plan).insert([{ id: 'm', until: 1 }])
        await joined.transaction(async (part) => notes.within(part).insert([note({})]))
        assert.equal(await marks.count({}), 0)
        end()
      })
    await assert.rejects(
      work(() => {
        throw new Error('undo')
      }),
      /undo/
    )
    await work(() => undefined)
    assert.deepEqual([await marks.count({}), await notes.count({})], [1, 1])
  },
  'a transaction that has ended takes nothing more': async ({ database, marks }) => {
    const [tx] = await database.transaction<[Transaction]>(async (open) => [open])
    await assert.rejects(async () => marks.within(tx).insert([{ id: 'late', until: 1 }]), {
      code: 'SVC_ORM_TRANSACTION_OVER'
    })
    assert.equal(await marks.count({}), 0)
  }
}
