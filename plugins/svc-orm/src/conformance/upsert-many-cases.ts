/** Many rows that are created, or change the rows that exist. */
import assert from 'node:assert/strict'
import { type Cases, column, refused } from './conformance-suite.ts'
import { coded, refusedRows, seed, UPDATE } from './many-row-seed.ts'

/** Of servers with transactions. */
export const upsertManyCases: Cases = {
  'upsertMany creates what is missing; existing rows stay, or take the values of their row': async (context) => {
    const { things, pairs } = context
    const [a, b] = await seed(context)
    const kept = await things.upsertMany(
      [
        { code: 'n', count: 9 },
        { code: 'a', count: 9 }
      ],
      { on: ['code'] }
    )
    assert.deepEqual(column(kept, 'count'), [9, 1])
    assert.equal(kept[1]?.id, a.id)
    const given = [
      { code: 'b', count: 20, label: 'new' },
      { code: 'o', count: 30, label: 'made' },
      { code: 'a', amount: '7.25' }
    ]
    const after = await things.upsertMany(given, UPDATE)
    assert.deepEqual(column(after, 'count'), [20, 30, 1])
    assert.deepEqual([after[0]?.id, after[2]?.amount, after[2]?.tags], [b.id, '7.25', ['x']])
    assert.deepEqual(after[1], await things.findOne({ code: 'o' }))
    assert.deepEqual(await coded(things, 'code'), ['a', 'b', 'c', 'n', 'o'])
    assert.deepEqual(await things.upsertMany([], UPDATE), [])
    await pairs.create({ left: 'l', right: 'r', visits: 1 })
    const update = { visits: { $add: 2 }, note: 'seen' } as const
    const rows = [
      { left: 'l', right: 'r' },
      { left: 'l', right: 's' }
    ]
    const counted = await pairs.upsertMany(rows, { on: ['right', 'left'], update })
    assert.deepEqual(
      [column(counted, 'visits'), column(counted, 'note')],
      [
        [3, 0],
        ['seen', null]
      ]
    )
    const [own] = await things.upsertMany([{ id: a.id, label: 'by id' }], { on: ['id'], update: true })
    assert.deepEqual([own?.label, own?.code], ['by id', 'a'])
    const serial = { on: ['serial'], update: true } as const
    const [first] = await things.upsertMany([{ serial: '9007199254740993', label: 'one' }], serial)
    const [second] = await things.upsertMany([{ serial: 9007199254740993n, label: 'two' }], serial)
    assert.deepEqual([second?.id, second?.label], [first?.id, 'two'])
  },
  'upsertMany refuses all rows at once, each with its index': async (context) => {
    const { things, repository } = context
    await seed(context)
    const upsert =
      (rows: unknown, options: unknown = UPDATE) =>
      () =>
        things.upsertMany(rows as never, options as never)
    const wrong = [{ code: 'n' }, { code: 'a', count: 'x' }, { count: 1 }, { code: 'n', count: 2 }, 5]
    await refusedRows(upsert(wrong), 400, [
      [2, 'SVC_ORM_CRITERIA'],
      [3, 'SVC_ORM_VALUE'],
      [4, 'SVC_ORM_VALUE']
    ])
    await refusedRows(upsert([{ code: 'n' }, { code: 'a', count: 'x' }]), 400, [[1, 'SVC_ORM_VALUE']])
    const stock = { on: ['code'], update: { stock: { $add: 6 } } } as const
    await things.updateMany({}, { stock: 0 })
    await refusedRows(upsert([{ code: 'm' }, { code: 'b' }], stock), 400, [[1, 'SVC_ORM_VALUE']])
    for (const options of [
      undefined,
      {},
      { on: [] },
      { on: 'code' },
      { on: ['code'], update: 5 },
      { on: ['code'], no: 1 }
    ]) {
      await refused(upsert([{ code: 'a' }], options ?? null), 'SVC_ORM_OPTIONS', 400)
    }
    await refused(upsert([{ label: 'x' }], { on: ['label'] }), 'SVC_ORM_CRITERIA', 400)
    await refused(upsert([{ code: 'a' }], { on: ['nothing'] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    assert.equal(await things.count({ code: 'm' }), 0, 'none was written')
    const folders = repository('Folder')
    const options = { on: ['path'], update: { files: 5 } } as const
    const [root] = await folders.upsertMany([{ path: '/' }], options)
    assert.deepEqual(column(await folders.upsertMany([{ path: '/' }], options), 'version'), [2])
    await folders.deleteOne({ id: root?.id })
    await refusedRows(() => folders.upsertMany([{ path: '/a' }, { path: '/' }], options), 409, [[1, 'SVC_ORM_UNIQUE']])
    await refusedRows(() => folders.upsertMany([{ path: '/b', version: 1 }], { on: ['path'], update: true }), 400, [
      [0, 'SVC_ORM_VALUE']
    ])
    assert.equal(await folders.count(), 0)
    const [seen] = await folders.withDeleted().upsertMany([{ path: '/' }], options)
    assert.deepEqual([seen?.id, seen?.version], [root?.id, 3])
  },
  'unique among some rows, a key is that of a row among them': async ({ repository }) => {
    const pages = repository('Page')
    const options = { on: ['site', 'key'], update: true } as const
    const live = { site: 's', state: 'live', rank: '2.00' }
    const [one] = await pages.upsertMany([{ ...live, key: 'k', slug: 'a', title: 'A' }], options)
    const after = await pages.upsertMany(
      [
        { ...live, key: 'l', slug: 'b', title: 'B' },
        { ...live, key: 'k', slug: 'a', title: 'C' }
      ],
      options
    )
    assert.deepEqual([after[1]?.id, column(after, 'title')], [one?.id, ['B', 'C']])
    const draft = [{ ...live, state: 'draft', key: 'm', slug: 'm' }]
    await refusedRows(() => pages.upsertMany(draft, options), 400, [[0, 'SVC_ORM_VALUE']])
    const folded = [{ id: one?.id ?? '', title: 'b' }]
    await refused(() => pages.updateEach(folded), 'SVC_ORM_UNIQUE', 409)
    assert.equal((await pages.updateEach([{ id: one?.id ?? '', title: 'D' }]))[0]?.title, 'D')
  },
  'more rows than one statement takes': async ({ things }) => {
    const rows = Array.from({ length: 230 }, (_, count) => ({ code: `c${count}`, count }))
    const made = await things.upsertMany(rows, { on: ['code'] })
    assert.deepEqual(column(made, 'count'), column(rows as never, 'count'))
    const after = await things.updateEach(made.map(({ id, count }) => ({ id, total: count * 2 })))
    assert.deepEqual(
      column(after, 'total'),
      rows.map(({ count }) => count * 2)
    )
    assert.equal(await things.count({ total: { $ne: null } }), 230)
  },
  'they are undone with the transaction around them': async (context) => {
    const { things } = context
    const [a] = await seed(context)
    const undone = things.withTransaction(async (inside) => {
      await inside.updateEach([{ id: a.id, count: 10 }])
      const [again] = await inside.upsertMany([{ code: 'a', total: 1 }], UPDATE)
      assert.equal(again?.count, 10)
      await inside.upsertMany([{ code: 'z' }], UPDATE)
      throw new RangeError('undone')
    })
    await assert.rejects(undone, RangeError)
    assert.deepEqual(
      [await coded(things, 'count'), await coded(things, 'code')],
      [
        [1, 2, 3],
        ['a', 'b', 'c']
      ]
    )
    const doomed = things.withTransaction(async (inside) => {
      await inside.create({ code: 'z' })
      await refused(() => inside.updateEach([{ id: a.id, count: 'x' }]), 'SVC_ORM_ROWS', 400)
    })
    await doomed
    assert.equal(await things.count({ code: 'z' }), 1, 'what is refused before anything is written dooms nothing')
  }
}
