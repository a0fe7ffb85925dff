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
    assert.equal(await folders.count(), 0)
    const [seen] = await folders.withDeleted().upsertMany([{ path: '/' }], options)
    assert.deepEqual([seen?.id, seen?.version], [root?.id, 3])
  },
  'a version that was read has to stand; a row that is created begins with its own': async ({ repository }) => {
    const folders = repository('Folder')
    const options = { on: ['path'], update: true } as const
    const made = await folders.upsertMany([{ path: '/a', version: 7 }, { path: '/b' }, { path: '/c' }], options)
    assert.deepEqual(column(made, 'version'), [1, 1, 1])
    const changed = [
      { path: '/a', files: 2, version: 1 },
      { path: '/b', files: 2 }
    ]
    assert.deepEqual(column(await folders.upsertMany(changed, options), 'version'), [2, 2])
    const mixed = [
      { path: '/c', files: 3, version: 1 },
      { path: '/d', files: 3, version: 5 },
      { path: '/b', files: 3, version: 2 },
      { path: '/a', files: 3 }
    ]
    const after = await folders.upsertMany(mixed, options)
    assert.deepEqual(column(after, 'path'), ['/c', '/d', '/b', '/a'])
    assert.deepEqual(
      [column(after, 'files'), column(after, 'version')],
      [
        [3, 3, 3, 3],
        [2, 1, 3, 3]
      ]
    )
    const outdated = [
      { path: '/e', files: 4 },
      { path: '/a', files: 4, version: 3 },
      { path: '/b', files: 4, version: 2 },
      { path: '/c', files: 4, version: 3 }
    ]
    const refusals = [
      [2, 'SVC_ORM_VERSION'],
      [3, 'SVC_ORM_VERSION']
    ] as const
    await refusedRows(() => folders.upsertMany(outdated, options), 409, refusals)
    const shared = { on: ['path'], update: { version: 2, files: 4 } } as const
    await refusedRows(() => folders.upsertMany([{ path: '/b' }, { path: '/c' }], shared), 409, [[0, 'SVC_ORM_VERSION']])
    await refusedRows(() => folders.upsertMany([{ path: '/a' }, { path: '/c', version: 'x' }], options), 400, [
      [1, 'SVC_ORM_VALUE']
    ])
    assert.deepEqual(await folders.distinct('files'), [3], 'nothing was written')
    const [same] = await folders.upsertMany([{ path: '/c', version: 2 }], options)
    assert.equal(same?.version, 2, 'nothing but the version is given, so nothing changes')
    await refusedRows(() => folders.upsertMany([{ path: '/c', version: 1 }], options), 409, [[0, 'SVC_ORM_VERSION']])
    const [kept] = await folders.upsertMany([{ path: '/c', files: 9, version: 1 }], { on: ['path'] })
    assert.deepEqual([kept?.files, kept?.version], [3, 2], 'a row that stays as it is compares none')
  },
  'with hooks too, a version that was read has to stand': async ({ repository }) => {
    const letters = repository('Letter')
    const [a, b] = await letters.createMany([{ text: 'a' }, { text: 'b' }])
    const row = (id: string | undefined, version: number) => ({ id: id ?? '', text: 'changed', version })
    const options = { on: ['id'], update: true } as const
    await refusedRows(() => letters.upsertMany([row(a?.id, 1), row(b?.id, 2)], options), 409, [[1, 'SVC_ORM_VERSION']])
    assert.deepEqual((await letters.distinct('text')).toSorted(), ['a', 'b'])
    assert.deepEqual(column(await letters.upsertMany([row(a?.id, 1), row(b?.id, 1)], options), 'version'), [2, 2])
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
