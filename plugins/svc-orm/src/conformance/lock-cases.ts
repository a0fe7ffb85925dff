/** Locks on rows that a transaction reads, and transactions that their holder ends. */
import assert from 'node:assert/strict'
import { TransactionConflict } from 'svc-stores'
import { atOnce } from 'svc-stores/conformance'
import { beginTransaction, ROW_LOCKS } from 'svc-stores/table'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

/** A row that somebody else changes while it is locked. @returns what was read, and what stood when the work ended */
async function changedMeanwhile({ things, books }: CaseContext, lock: object): Promise<readonly unknown[]> {
  const { id } = await things.create({ count: 0 })
  let other: Promise<unknown> | null = null
  const seen = await things.withTransaction(async (inside, tx) => {
    const row = await inside.findOne({ id }, lock)
    other ??= things.updateOne({ id }, { count: 1 })
    // The other one is on its way by then.
    for (let turn = 0; turn < 5; turn += 1) await things.count()
    await books.withTransaction(tx).create({ title: String(row?.count) })
    return [row?.count, (await things.findOne({ id }))?.count]
  })
  await other
  assert.equal((await things.findOne({ id }))?.count, 1)
  return seen
}

export const lockCases: Cases = {
  'a row that is locked, whichever way, stays as it is read until the transaction ends': async (context) => {
    for (const lock of ROW_LOCKS) {
      const [read, stood] = await changedMeanwhile(context, { lock })
      assert.equal(read, stood, lock)
    }
  },
  'rows that are shared may be shared by all': async ({ things, books }) => {
    const { id } = await things.create({ label: 'shelf' })
    await atOnce(8, (index) =>
      things.withTransaction(async (inside, tx) => {
        const shelf = await inside.findOne({ id }, { lock: 'share' })
        await books.withTransaction(tx).create({ title: `${String(shelf?.label)} ${index}` })
      })
    )
    assert.equal(await books.count(), 8)
    assert.equal(await things.count({ label: 'shelf', count: 0 }), 1, 'a lock changes nothing')
  },
  'of workers at once each row goes to one': async ({ things }) => {
    await things.createMany(Array.from({ length: 4 }, () => ({ open: true })))
    const taken = await atOnce(6, () =>
      things.withTransaction(async (inside) => {
        const [job] = await inside.find({ open: true }, { lock: 'skipLocked', limit: 1 })
        if (job === undefined) return null
        await inside.updateOne({ id: job.id }, { open: false })
        await inside.increment({ id: job.id }, 'count')
        return job.id
      })
    )
    const ids = taken.filter((id) => id !== null)
    assert.equal(new Set(ids).size, ids.length)
    assert.deepEqual(column(await things.find({ open: false }), 'count'), Array(ids.length).fill(1))
    assert.ok(ids.length > 0)
  },
  'a stream in a transaction may lock what it reads': async ({ things }) => {
    await things.createMany([{ count: 1 }, { count: 2 }])
    await things.withTransaction(async (inside) => {
      for await (const row of inside.stream({}, { lock: 'update' })) {
        await inside.updateOne({ id: row.id }, { total: row.count as number })
      }
    })
    assert.deepEqual(column(await things.find(), 'total'), [1, 2])
    await refused(() => things.stream({}, { lock: 'update' }).next(), 'SVC_ORM_OPTIONS', 400)
  },
  'a transaction that is begun is kept when it is committed, and undone when it is left': async ({
    connector,
    things
  }) => {
    const kept = await beginTransaction(connector)
    await things.withTransaction(kept).create({ label: 'kept' })
    await kept.commit()
    await kept[Symbol.asyncDispose]()
    const left = await beginTransaction(connector)
    await things.withTransaction(left).updateMany({}, { label: 'lost' })
    await left[Symbol.asyncDispose]()
    await left.rollback()
    assert.deepEqual(column(await things.find(), 'label'), ['kept'])
    await refused(() => left.commit(), 'SVC_ORM_TRANSACTION_OVER')
    await refused(() => things.withTransaction(kept).create({}), 'SVC_ORM_TRANSACTION_OVER')
  },
  'a failure dooms a transaction that is begun, and its commit tells it': async ({ connector, things }) => {
    await things.create({ code: 'taken' })
    const tx = await beginTransaction(connector)
    const inside = things.withTransaction(tx)
    await inside.create({ label: 'lost' })
    await refused(() => inside.create({ code: 'taken' }), 'SVC_ORM_UNIQUE')
    await refused(() => tx.commit(), 'SVC_ORM_UNIQUE', 409)
    assert.equal(await things.count(), 1)
  },
  'a transaction that is begun does not run again: its holder gets the conflict, and may begin another': async ({
    connector,
    things
  }) => {
    const { id } = await things.create({})
    const increment = async () => {
      const tx = await beginTransaction(connector)
      try {
        const inside = things.withTransaction(tx)
        const row = await inside.findOne({ id })
        await inside.updateOne({ id }, { count: (row?.count as number) + 1 })
        await tx.commit()
      } finally {
        await tx.rollback()
      }
    }
    await atOnce(4, async () => {
      for (let attempt = 0; attempt < 50; attempt += 1) {
        const error = await increment().catch((failure: unknown) => failure)
        if (error === undefined) return
        assert.ok(error instanceof TransactionConflict, String(error))
      }
      assert.fail('it always lost')
    })
    assert.equal((await things.findOne({ id }))?.count, 4)
  }
}
