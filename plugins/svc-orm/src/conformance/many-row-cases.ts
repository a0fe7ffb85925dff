/** Writes of many rows, each with its own values. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import type { RowProblem } from '../errors.ts'
import type { Repository } from '../repository/repository.ts'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

/** Nothing is written, and each of these rows has its problem. */
async function refusedRows(
  call: () => Promise<unknown>,
  statusCode: number,
  expected: readonly (readonly [index: number, code: string])[]
): Promise<void> {
  await assert.rejects(call, (error: { code?: unknown; statusCode?: unknown; problems?: readonly RowProblem[] }) => {
    assert.deepEqual([error.code, error.statusCode], ['SVC_ORM_ROWS', statusCode])
    assert.deepEqual(
      error.problems?.map(({ index, code }) => [index, code]),
      expected
    )
    return true
  })
}

const BY_CODE = { order: [['code', 'ASC']] } as const

const coded = async (things: Repository, field: string) => column(await things.find({}, BY_CODE), field)

async function seed({ things }: CaseContext): Promise<readonly [AnyRow, AnyRow, AnyRow]> {
  const rows = await things.createMany([
    { code: 'a', count: 1, amount: '1.50', tags: ['x'] },
    { code: 'b', count: 2 },
    { code: 'c', count: 3, label: 'kept' }
  ])
  return rows as unknown as readonly [AnyRow, AnyRow, AnyRow]
}

const UPDATE = { on: ['code'], update: true } as const

/** Of servers with transactions. */
export const manyRowCases: Cases = {
  'updateEach writes its own values into each row, of each type': async (context) => {
    const { things } = context
    const [a, b, c] = await seed(context)
    const at = new Date('2026-01-02T03:04:05.678Z')
    const given = [
      { id: b.id, label: 'Zürich 😀', amount: '90071992547409.93', at: at.toISOString(), open: true, ratio: 0.1 },
      { id: a.id, amount: 2, big: -9007199254740993n, tags: ['y', 'z'], data: { $set: [1, null] }, label: null },
      { id: c.id, photo: 'AAEC', day: '2026-02-03', state: 'é', code: 'd', unknown: 1, label: undefined }
    ]
    const after = await things.updateEach(given)
    assert.deepEqual(column(after, 'id'), [b.id, a.id, c.id])
    assert.deepEqual(after, [
      await things.findOne({ id: b.id }),
      await things.findOne({ id: a.id }),
      await things.findOne({ id: c.id })
    ])
    const { label, amount, open, ratio, count, at: moment } = after[0] as AnyRow
    assert.deepEqual([label, amount, open, ratio, count, moment], ['Zürich 😀', '90071992547409.93', true, 0.1, 2, at])
    assert.deepEqual(
      [after[1]?.amount, after[1]?.big, after[1]?.tags, after[1]?.data, after[1]?.label],
      ['2.00', '-9007199254740993', ['y', 'z'], { $set: [1, null] }, null]
    )
    const { state, day, code, label: kept } = after[2] as AnyRow
    assert.deepEqual([state, day, code, kept], ['é', '2026-02-03', 'd', 'kept'])
    assert.deepEqual(await things.updateEach([]), [])
    assert.deepEqual(await things.updateEach([{ id: a.id }]), [after[1]], 'nothing is to be changed')
  },
  'updateEach swaps no more than it is given, and keeps time and version': async ({ pairs, repository }) => {
    const [pair] = await pairs.createMany([{ left: 'l', right: 'r' }])
    const [changed] = await pairs.updateEach([{ id: pair?.id ?? '', note: 'n', createdAt: new Date(0) }])
    assert.deepEqual([changed?.note, changed?.createdAt], ['n', pair?.createdAt])
    assert.ok(changed?.updatedAt >= pair?.updatedAt)
    const folders = repository('Folder')
    const [one, two, gone] = (await folders.createMany([
      { path: '/1' },
      { path: '/2' },
      { path: '/3' }
    ])) as AnyRow[] as [AnyRow, AnyRow, AnyRow]
    const after = await folders.updateEach([
      { id: one.id, files: 1, version: 1 },
      { id: two.id, files: 2 }
    ])
    assert.deepEqual(column(after, 'version'), [2, 2])
    await folders.deleteOne({ id: gone.id })
    const outdated = [
      { id: two.id, files: 3 },
      { id: one.id, files: 3, version: 1 },
      { id: gone.id, files: 3 }
    ]
    const problems = [
      [1, 'SVC_ORM_VERSION'],
      [2, 'SVC_ORM_NOT_FOUND']
    ] as const
    await refusedRows(() => folders.updateEach(outdated), 400, problems)
    await refusedRows(() => folders.updateEach(outdated.slice(0, 2)), 409, problems.slice(0, 1))
    await refusedRows(() => folders.updateEach(outdated.slice(2)), 404, [[0, 'SVC_ORM_NOT_FOUND']])
    assert.deepEqual(column(await folders.find({}, { order: [['path', 'ASC']] }), 'files'), [1, 2], 'none was written')
    const [seen] = await folders.withDeleted().updateEach([{ id: gone.id, files: 4 }])
    assert.deepEqual([seen?.files, seen?.deletedAt instanceof Date], [4, true])
  },
  'updateEach refuses all rows at once, each with its index': async (context) => {
    const { things } = context
    const [a, b, c] = await seed(context)
    const each = (rows: unknown) => () => things.updateEach(rows as never)
    await refusedRows(
      each([
        { id: a.id, count: 'x' },
        { id: b.id, count: 1 },
        { id: c.id, stock: 6 }
      ]),
      400,
      [
        [0, 'SVC_ORM_VALUE'],
        [2, 'SVC_ORM_VALUE']
      ]
    )
    const wrong = [{ count: 1 }, 5, null, { id: 7 }, { id: a.id }, { id: a.id }]
    await refusedRows(
      each(wrong),
      400,
      [0, 1, 2, 3, 5].map((index) => [index, 'SVC_ORM_VALUE'] as const)
    )
    for (const change of [{ count: { $add: 1 } }, { $max: { count: 1 } }]) {
      await refusedRows(each([{ id: a.id, ...change }]), 400, [[0, 'SVC_ORM_VALUE']])
    }
    await refused(each({ id: a.id }), 'SVC_ORM_VALUE', 400)
    await refused(
      each([
        { id: a.id, count: 9 },
        { id: b.id, code: 'c' }
      ]),
      'SVC_ORM_UNIQUE',
      409
    )
    assert.deepEqual(
      [await coded(things, 'count'), await coded(things, 'code')],
      [
        [1, 2, 3],
        ['a', 'b', 'c']
      ]
    )
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
  'hooks run for each row': async ({ repository, things }) => {
    const letters = repository('Letter')
    const rows = await letters.createMany([{ text: 'a' }, { text: 'b' }])
    await things.delete({})
    const [a = { id: '' }, b = { id: '' }] = rows
    const after = await letters.updateEach([
      { id: b.id, text: 'two' },
      { id: a.id, text: 'three', version: 1 }
    ])
    assert.deepEqual(
      [column(after, 'size'), column(after, 'version')],
      [
        [3, 5],
        [2, 2]
      ]
    )
    assert.deepEqual(column(await things.find({}, { order: [['label', 'ASC']] }), 'label'), [
      'a became three',
      'b became two'
    ])
    await assert.rejects(
      letters.updateEach([
        { id: b.id, text: 'x' },
        { id: a.id, text: 'refused later' }
      ]),
      RangeError
    )
    await refusedRows(
      () =>
        letters.updateEach([
          { id: b.id, text: 'x' },
          { id: a.id, version: 1 }
        ]),
      409,
      [[1, 'SVC_ORM_VERSION']]
    )
    await refusedRows(
      () =>
        letters.updateEach([
          { id: b.id, text: 'x' },
          { id: a.id, read: 'x' }
        ]),
      400,
      [[1, 'SVC_ORM_VALUE']]
    )
    assert.deepEqual(column(await letters.find({}, { order: [['text', 'ASC']] }), 'text'), ['three', 'two'])
    await things.delete({})
    const { id } = a
    const upserted = await letters.upsertMany([{ id, text: 'changed' }], { on: ['id'], update: true })
    assert.deepEqual([upserted[0]?.size, upserted[0]?.version], [7, 3])
    await letters.delete({ id })
    await things.delete({})
    const made = await letters.upsertMany(
      [
        { id, text: 'made' },
        { id: b.id, text: 'kept' }
      ],
      { on: ['id'] }
    )
    assert.deepEqual(column(made, 'text'), ['made', 'two'])
    assert.deepEqual(column(await things.find(), 'label'), ['created made'])
  },
  'references of the rows are kept': async ({ repository, connector }) => {
    const [customers, purchases] = [repository('Customer'), repository('Purchase')]
    const [ann, ben] = await customers.createMany([{ name: 'Ann' }, { name: 'Ben' }])
    const [one, two] = await purchases.createMany([
      { name: '1', customerId: ann?.id },
      { name: '2', customerId: ann?.id }
    ])
    const id = one?.id ?? ''
    const other = { id: two?.id ?? '', customerId: connector.ids.generate() }
    await refused(() => purchases.updateEach([{ id, customerId: ben?.id }, other]), 'SVC_ORM_REFERENCE_MISSING', 400)
    const made = [{ id: connector.ids.generate(), name: '3', customerId: connector.ids.generate() }]
    await refused(() => purchases.upsertMany(made, { on: ['id'] }), 'SVC_ORM_REFERENCE_MISSING', 400)
    assert.equal(await purchases.count({ customerId: ann?.id }), 2)
    const after = await purchases.updateEach([
      { id, customerId: ben?.id },
      { id: other.id, customerId: ben?.id }
    ])
    assert.deepEqual(column(after, 'customerId'), [ben?.id, ben?.id])
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
