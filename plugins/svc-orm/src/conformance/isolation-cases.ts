/** What transactions that run side by side make of each other: the same on every engine, by the documented ways. */
import assert from 'node:assert/strict'
import { atOnce } from 'svc-stores/conformance'
import { ISOLATIONS, type TransactionOptions } from 'svc-stores/table'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

/** Ten read a number and write the next one. */
async function readThenWrite({ things }: CaseContext, options: TransactionOptions, lock: object): Promise<void> {
  const { id } = await things.create({ label: 'other' })
  await things.create({ label: 'last' })
  await atOnce(10, () =>
    things.withTransaction(async (inside) => {
      const row = await inside.findOne({ id }, lock)
      await inside.updateOne({ id }, { count: (row?.count as number) + 1 })
    }, options)
  )
  assert.equal((await things.findOne({ id }))?.count, 10)
}

export const isolationCases: Cases = {
  'D4: ten that read a row and then write it lose nothing': (context) => readThenWrite(context, {}, {}),
  'D4: nor do they where they lock what they read': async (context) => {
    await readThenWrite(context, {}, { lock: 'update' })
    await readThenWrite(context, { isolation: 'read committed' }, { lock: 'update' })
  },
  'D4: a lock keeps apart those who only read the row, and write others': async ({ things, books }) => {
    const { id } = await things.create({ label: 'shelf' })
    await atOnce(10, () =>
      things.withTransaction(async (inside, tx) => {
        const [shelf] = await inside.find({ id }, { lock: 'update', limit: 1 })
        const title = `on ${String(shelf?.label)}`
        const shelved = books.withTransaction(tx)
        if (!(await shelved.exists({ title }))) await shelved.create({ title })
      })
    )
    assert.equal(await books.count(), 1)
    const before = { ...(await things.findOne({ id })) }
    assert.deepEqual(before, { ...before, id, label: 'shelf', count: 0 })
    assert.equal(await things.count({ label: 'shelf', count: 0 }), 1, 'a lock changes nothing')
  },
  'D4: a lock outside a transaction, and what is no lock, no level and no option, are refused': async ({
    connector,
    things
  }) => {
    await refused(() => things.find({}, { lock: 'update' }), 'SVC_ORM_OPTIONS', 400)
    await refused(() => things.findOne({}, { lock: 'update' }), 'SVC_ORM_OPTIONS', 400)
    const inside = (options: object) => things.withTransaction(() => Promise.resolve(), options)
    const levels = [{ isolation: 'chaos' }, { isolation: null }, { isolate: 'serializable' }, 'serializable']
    for (const options of [...levels, { retry: 'no' }, { retry: null }]) {
      await refused(() => inside(options as object), 'SVC_ORM_OPTIONS', 400)
    }
    await things.withTransaction(async (first) => {
      await refused(() => first.find({}, { lock: 'chaos' as never }), 'SVC_ORM_OPTIONS', 400)
      const nested = first.withTransaction(() => Promise.resolve(), { isolation: 'serializable' })
      await refused(() => nested, 'SVC_ORM_OPTIONS', 400)
    })
    for (const isolation of connector.isolations ?? ISOLATIONS) {
      assert.equal(await things.withTransaction((first) => first.count(), { isolation }), 0)
    }
  },
  'D4: serializable keeps apart those who each write what the other only read, or is refused by name': async ({
    connector,
    things
  }) => {
    const rows = await things.createMany(Array.from({ length: 5 }, () => ({ open: true })))
    const leave = (id: string) =>
      things.withTransaction(
        async (inside) => {
          if ((await inside.count({ open: true })) > 1) await inside.updateOne({ id }, { open: false })
        },
        { isolation: 'serializable' }
      )
    if (!(connector.isolations ?? ISOLATIONS).includes('serializable')) {
      await refused(() => leave(rows[0]?.id ?? ''), 'SVC_ORM_OPTIONS', 400)
      return
    }
    await Promise.all(rows.map(({ id }) => leave(id)))
    assert.equal(await things.count({ open: true }), 1)
  },
  'D4: without `retry`, work runs once, and who loses gets the conflict': async ({ things }) => {
    const { id } = await things.create({ label: 'once' })
    let runs = 0
    const change = async (retry: boolean) => {
      const work = things.withTransaction(
        async (inside) => {
          runs += 1
          const row = await inside.findOne({ id })
          await inside.updateOne({ id }, { count: (row?.count as number) + 1 })
        },
        { retry }
      )
      return work.then(
        () => 'won',
        (error: { code?: string }) => error.code
      )
    }
    const ends = await atOnce(10, () => change(false))
    const won = ends.filter((end) => end === 'won').length
    assert.equal(runs, 10)
    assert.deepEqual([...new Set(ends)].sort().slice(0, -1), won === 10 ? [] : ['SVC_ORM_CONFLICT'])
    assert.equal((await things.findOne({ id }))?.count, won)
    assert.deepEqual(await atOnce(3, () => change(true)), ['won', 'won', 'won'])
  },
  'D7: six that change the same two rows in either order all succeed': async ({ things }) => {
    const [a, b] = await things.createMany([{ label: 'a' }, { label: 'b' }])
    await atOnce(6, (index) =>
      things.withTransaction(async (inside) => {
        const [first, second] = index % 2 === 0 ? [a, b] : [b, a]
        await inside.increment({ id: first?.id ?? '' }, 'count')
        await inside.increment({ id: second?.id ?? '' }, 'count')
      })
    )
    assert.deepEqual(column(await things.find(), 'count'), [6, 6])
  }
}

/** For servers that tell a unique value which an open transaction cannot see as a conflict, not as a violation. */
export const unseenValueCases: Cases = {
  'C11: ten equal favourites at once all succeed, and one is kept': async ({ things, pairs }) => {
    const { id } = await things.create({ label: 'article' })
    const favourite = () =>
      pairs.withTransaction(async (inside, tx) => {
        if (await inside.exists({ left: 'user', right: id })) return
        await inside.create({ left: 'user', right: id })
        await things.withTransaction(tx).increment({ id }, 'count')
      })
    await atOnce(10, favourite)
    assert.equal(await pairs.count(), 1)
    assert.equal((await things.findOne({ id }))?.count, 1)
  },
  'C11: and so they do where the row itself is all that they have in common': async ({ pairs }) => {
    await atOnce(10, () =>
      pairs.withTransaction(async (inside) => {
        if (!(await inside.exists({ left: 'l' }))) await inside.createMany([{ left: 'l', right: 'r' }, { left: 'm' }])
      })
    )
    assert.deepEqual(column(await pairs.find(), 'left'), ['l', 'm'])
    await atOnce(10, () => pairs.withTransaction((inside) => inside.upsert({ left: 'u', right: 'r' }, { note: 'n' })))
    assert.equal(await pairs.count({ left: 'u' }), 1)
  }
}
