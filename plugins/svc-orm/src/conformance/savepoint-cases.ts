/** Savepoints: a part of a transaction that is undone on its own, with the failure that doomed it. */
import assert from 'node:assert/strict'
import { type Cases, column, done, refused, Undone, undo } from './conformance-suite.ts'

/** For drivers that can undo a savepoint on its own. */
export const savepointCases: Cases = {
  'a savepoint is undone on its own': async ({ things }) => {
    await things.withTransaction(async (inside, tx) => {
      await inside.create({ label: 'a' })
      const failed = tx.savepoint(async (point) => {
        await things.withTransaction(point).create({ label: 'b' })
        await things.withTransaction(point).updateMany({}, { count: 9 })
        await undo()
      })
      await assert.rejects(failed, Undone)
      assert.deepEqual(column(await inside.find(), 'label'), ['a'])
      await inside.create({ label: 'c' })
    })
    const rows = await things.find()
    assert.deepEqual(column(rows, 'label'), ['a', 'c'])
    assert.deepEqual(column(rows, 'count'), [0, 0])
  },
  'a savepoint that resolves is kept with its transaction, and undone with it': async ({ things }) => {
    const work = (end: () => Promise<void>) =>
      things.withTransaction(async (inside, tx) => {
        assert.equal(
          await tx.savepoint(async (point) => (await things.withTransaction(point).create({ label: 'p' })).label),
          'p'
        )
        assert.equal(await inside.count(), 1)
        await end()
      })
    await assert.rejects(work(undo), Undone)
    assert.equal(await things.count(), 0)
    await work(done)
    assert.equal(await things.count(), 1)
  },
  'D2: a savepoint whose work catches a violation is undone, and leaves the transaction usable': async ({ things }) => {
    await things.withTransaction(async (inside) => {
      await inside.create({ code: 'x' })
      const caught = inside.withTransaction(async (within) => {
        await within.create({ label: 'lost' })
        await refused(() => within.create({ code: 'x' }), 'SVC_ORM_UNIQUE')
      })
      await refused(() => caught, 'SVC_ORM_UNIQUE')
      await inside.create({ label: 'after' })
    })
    assert.deepEqual(column(await things.find(), 'label'), [null, 'after'])
  },
  'D5: what the work of a savepoint asks of the transaction around it is part of the savepoint': async ({ things }) => {
    await things.withTransaction(async (inside, tx) => {
      await inside.create({ label: 'kept' })
      const part = (end: () => Promise<void>) =>
        tx.savepoint(async () => {
          await inside.create({ label: 'part' })
          await inside.withTransaction((deeper) => deeper.create({ label: 'deeper' }))
          await tx.savepoint((point) => things.withTransaction(point).updateMany({}, { count: 1 }))
          await end()
        })
      await assert.rejects(part(undo), Undone)
      assert.deepEqual(column(await inside.find(), 'count'), [0])
      await part(done)
    })
    assert.deepEqual(column(await things.find(), 'label'), ['kept', 'part', 'deeper'])
  },
  'M10: a failure inside a savepoint is its own, by whichever repository it came': async ({ things }) => {
    await things.withTransaction(async (inside, tx) => {
      await inside.create({ code: 'x' })
      const part = (fail: () => Promise<unknown>) =>
        tx.savepoint(async (point) => {
          await inside.create({ label: 'lost' })
          await refused(fail, 'SVC_ORM_UNIQUE')
          // Whatever the savepoint is asked from here on, it has failed, and nothing else has.
          await refused(() => things.withTransaction(point).count(), 'SVC_ORM_UNIQUE')
          await refused(() => inside.count(), 'SVC_ORM_UNIQUE')
        })
      await refused(() => part(() => inside.create({ code: 'x' })), 'SVC_ORM_UNIQUE')
      assert.equal(await inside.count(), 1)
      const deeper = () => tx.savepoint(() => inside.create({ code: 'x' }))
      await tx.savepoint(async () => {
        await inside.create({ label: 'kept' })
        await refused(deeper, 'SVC_ORM_UNIQUE')
        await inside.updateMany({ label: 'kept' }, { count: 1 })
      })
      await inside.create({ label: 'after' })
    })
    assert.deepEqual(column(await things.find(), 'label'), [null, 'kept', 'after'])
    assert.deepEqual(column(await things.find(), 'count'), [0, 1, 0])
  },
  'a violation inside a savepoint leaves the transaction usable; savepoints nest': async ({ things }) => {
    await things.withTransaction(async (inside) => {
      await inside.create({ code: 'x' })
      await assert.rejects(
        inside.withTransaction(async (within) => {
          await within.create({ label: 'lost' })
          await within.withTransaction((deeper) => deeper.create({ label: 'lost as well' }))
          await within.create({ code: 'x' })
        }),
        { code: 'SVC_ORM_UNIQUE' }
      )
      await inside.create({ label: 'after' })
    })
    assert.deepEqual(column(await things.find(), 'label'), [null, 'after'])
  }
}
