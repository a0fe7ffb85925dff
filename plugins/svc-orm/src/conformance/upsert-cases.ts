/** Upserts that change the row that is there. */
import assert from 'node:assert/strict'
import { atOnce } from 'svc-stores/conformance'
import { type Cases, column, refused } from './conformance-suite.ts'

export const upsertCases: Cases = {
  'update: true writes the given values into the row that is there': async ({ connector, things, pairs }) => {
    const update = { update: true } as const
    const created = await things.upsert({ code: 'x' }, { label: 'first', total: 1, tags: ['a'] }, update)
    assert.deepEqual([created.label, created.total, created.count, created.tags], ['first', 1, 0, ['a']])
    const changed = await things.upsert(
      { code: 'x' },
      { code: 'x', label: 'second', at: '2026-01-01T00:00:00Z' },
      update
    )
    assert.equal(changed.id, created.id)
    assert.deepEqual([changed.label, changed.total, changed.tags], ['second', 1, ['a']], 'what is not given stays')
    assert.deepEqual(changed.at, new Date('2026-01-01T00:00:00Z'))
    assert.deepEqual(await things.findOne({ code: 'x' }), changed)
    assert.equal((await things.upsert({ code: 'x' }, { label: null, amount: '1.50' }, update)).label, null)
    assert.equal((await things.upsert({ code: 'x' }, {}, update)).amount, '1.50', 'nothing is to be changed')
    const id = connector.ids.generate()
    assert.equal((await things.upsert({ id }, { label: 'own' }, update)).id, id)
    assert.equal((await things.upsert({ id }, { label: 'other' }, update)).label, 'other')
    const serial = await things.upsert({ serial: '9007199254740993' }, { label: 'one' }, update)
    assert.equal((await things.upsert({ serial: 9007199254740993n }, { label: 'two' }, update)).id, serial.id)
    await pairs.upsert({ left: 'l', right: 'r' }, { note: 'n' }, update)
    const pair = await pairs.upsert({ right: 'r', left: 'l' }, { note: 'm' }, update)
    assert.deepEqual([pair.note, await pairs.count(), pair.updatedAt >= pair.createdAt], ['m', 1, true])
    assert.equal(await things.count(), 3)
  },
  'update: changes of its own, computed on what the row holds': async ({ things }) => {
    const add = (label: string) =>
      things.upsert(
        { code: 'x' },
        { label, count: 1, amount: '2.00', stock: 1 },
        { update: { count: { $add: 1 }, amount: { $mul: '1.5' }, label: `${label} again`, $max: { total: 7 } } }
      )
    const created = await add('a')
    assert.deepEqual([created.label, created.count, created.amount, created.total], ['a', 1, '2.00', null])
    const changed = await add('b')
    assert.deepEqual([changed.label, changed.count, changed.amount, changed.total], ['b again', 2, '3.00', 7])
    assert.equal(changed.id, created.id)
    const stock = (by: number) => things.upsert({ code: 'x' }, {}, { update: { stock: { $add: by }, label: 'stock' } })
    assert.equal((await stock(4)).stock, 5)
    await refused(() => stock(1), 'SVC_ORM_VALUE', 400)
    const held = await things.findOne({ code: 'x' })
    assert.deepEqual([held?.stock, held?.label], [5, 'stock'], 'nothing was written')
    assert.equal((await stock(-7)).stock, -2)
  },
  'fifty callers at once: one creates, and each other one counts': async ({ things, pairs }) => {
    const rows = await atOnce(50, () => things.upsert({ code: 'x' }, { count: 1 }, { update: { count: { $add: 1 } } }))
    assert.deepEqual([await things.count(), (await things.findOne({ code: 'x' }))?.count], [1, 50])
    assert.equal(new Set(column(rows, 'count')).size, 50)
    const key = { left: 'l', right: 'r' }
    await atOnce(20, (index) => pairs.upsert(key, { visits: index }, { update: { $max: { visits: index } } }))
    assert.deepEqual(column(await pairs.find(), 'visits'), [19])
  },
  'a change of a row is a version; one that was read has to stand': async ({ repository }) => {
    const folders = repository('Folder')
    const update = { update: true } as const
    const created = await folders.upsert({ path: '/' }, { files: 1, version: 9 }, update)
    assert.equal(created.version, 1)
    assert.equal((await folders.upsert({ path: '/' }, { files: 2 }, update)).version, 2)
    assert.equal((await folders.upsert({ path: '/' }, { files: 3, version: 2 }, update)).version, 3)
    await refused(() => folders.upsert({ path: '/' }, { files: 4, version: 2 }, update), 'SVC_ORM_VERSION', 409)
    await refused(() => folders.upsert({ path: '/' }, {}, { update: { version: 1, files: 5 } }), 'SVC_ORM_VERSION', 409)
    assert.deepEqual(column(await folders.find(), 'files'), [3])
  },
  'a deleted row keeps its key, and is changed only where it is seen': async ({ repository }) => {
    const folders = repository('Folder')
    const update = { update: { files: { $add: 1 } } } as const
    const { id } = await folders.upsert({ path: '/' }, { files: 1 }, update)
    await folders.deleteOne({ id })
    await refused(() => folders.upsert({ path: '/' }, {}, update), 'SVC_ORM_UNIQUE', 409)
    const held = await folders.withDeleted().findOne({ id })
    assert.deepEqual([held?.files, held?.version], [1, 1])
    const seen = await folders.withDeleted().upsert({ path: '/' }, {}, update)
    assert.deepEqual([seen.id, seen.files, seen.deletedAt instanceof Date], [id, 2, true])
  },
  'what is wrong is refused before anything is written': async ({ things }) => {
    await things.createMany([{ code: 'x', count: 5 }, { code: 'y' }])
    const upsert = (values: object, options: unknown) => () => things.upsert({ code: 'x' }, values, options as never)
    for (const options of [{ update: 5 }, { update: null }, { upsert: true }, 5, null]) {
      await refused(upsert({}, options), 'SVC_ORM_OPTIONS', 400)
    }
    await refused(upsert({ count: 'x' }, { update: true }), 'SVC_ORM_VALUE', 400)
    await refused(upsert({}, { update: { count: 'x' } }), 'SVC_ORM_VALUE', 400)
    await refused(upsert({}, { update: { label: { $add: 1 } } }), 'SVC_ORM_VALUE', 400)
    await refused(upsert({}, { update: { code: 'y' } }), 'SVC_ORM_UNIQUE', 409)
    await refused(() => things.upsert({ code: 'z', label: 'a' }, {}, { update: true }), 'SVC_ORM_CRITERIA', 400)
    assert.equal((await upsert({ count: 9 }, { update: false })()).count, 5)
    assert.equal((await upsert({ count: 9 }, {})()).count, 5)
    assert.equal(await things.count(), 2)
  }
}

/** Of servers with transactions. */
export const upsertInTransactionCases: Cases = {
  'an upsert in a transaction is undone with it': async ({ things }) => {
    const update = { update: { count: { $add: 1 } } } as const
    await things.create({ code: 'x', count: 1 })
    await things.withTransaction(async (inside) => {
      assert.equal((await inside.upsert({ code: 'x' }, {}, update)).count, 2)
      assert.equal((await inside.upsert({ code: 'y' }, { count: 7 }, update)).count, 7)
      assert.equal((await inside.upsert({ code: 'y' }, { count: 7 }, update)).count, 8)
    })
    assert.deepEqual(column(await things.find({}, { order: [['code', 'ASC']] }), 'count'), [2, 8])
  },
  'hooks of a creation run, or those of an update': async ({ repository, things }) => {
    const letters = repository('Letter')
    const { id } = await letters.create({ text: 'a' })
    await things.delete({})
    const changed = await letters.upsert({ id }, { text: 'three' }, { update: true })
    assert.deepEqual([changed.text, changed.size, changed.version], ['three', 5, 2])
    assert.deepEqual(column(await things.find(), 'label'), ['a became three'])
    await letters.delete({})
    await things.delete({})
    const created = await letters.upsert({ id }, { text: 'new' }, { update: { text: 'other' } })
    assert.deepEqual([created.text, created.size, created.version], ['new', 3, 1])
    assert.deepEqual(column(await things.find(), 'label'), ['created new'])
    await assert.rejects(letters.upsert({ id }, { text: 'refused' }, { update: true }), RangeError)
    await refused(() => letters.upsert({ id }, {}, { update: { version: 7 } }), 'SVC_ORM_VERSION', 409)
    assert.equal((await letters.findOne({ id }))?.text, 'new')
  }
}
