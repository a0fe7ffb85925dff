/** Changes of many rows, each to its own values. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import { type Cases, column, refused } from './conformance-suite.ts'
import { coded, refusedRows, seed } from './many-row-seed.ts'

/** Of servers with transactions. */
export const updateEachCases: Cases = {
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
  'updateEach reads each of many rows with the same fields by itself': async (context) => {
    const { things } = context
    const [a, b, c] = await seed(context)
    const given = [
      { id: a.id, amount: '7.25', label: 'one', count: 4 },
      { id: b.id, amount: 3, label: null, count: 5 },
      { id: c.id, amount: '0.5', label: 'three', count: 6 }
    ]
    const after = await things.updateEach(given)
    assert.deepEqual(column(after, 'amount'), ['7.25', '3.00', '0.50'])
    assert.deepEqual(column(after, 'label'), ['one', null, 'three'])
    const others = (second: object, third: object) => () =>
      things.updateEach([
        { id: a.id, amount: '1.00', label: 'x', count: 7 },
        { id: b.id, amount: '1.00', label: 'x', count: 7, ...second },
        { id: c.id, amount: '1.00', label: 'x', count: 7, ...third }
      ] as never)
    const refusals = [
      [1, 'SVC_ORM_VALUE'],
      [2, 'SVC_ORM_VALUE']
    ] as const
    await refusedRows(others({ count: 'x' }, { amount: '0.001' }), 400, refusals)
    await refusedRows(others({ count: { $add: 1 } }, { count: null }), 400, refusals)
    assert.deepEqual(await coded(things, 'count'), [4, 5, 6], 'none was written')
    const left = await others({ label: undefined }, { $max: undefined, count: 8 })()
    assert.deepEqual(column(left, 'label'), ['x', null, 'x'])
    assert.deepEqual(column(left, 'count'), [7, 7, 8])
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
  }
}
