/** Order, limit and offset. */
import assert from 'node:assert/strict'
import type { FindOptions } from '../criteria/find-options.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { type Cases, column, refused } from './conformance-suite.ts'

/** In their order: by code point, which is neither that of any language nor that of UTF-16. */
const TEXTS = [
  '',
  ' ',
  '!',
  '0',
  '10',
  '9',
  'A',
  'Z',
  '_',
  'a',
  'a b',
  'aa',
  'ab',
  'z',
  'Ä',
  'é',
  'Ω',
  '中',
  '\ufb01',
  '\uffff',
  '\u{1f600}',
  '\u{10ffff}'
]

/** A field, and values of it in their order; null is put first. */
const ORDERED: readonly (readonly [field: string, values: readonly unknown[]])[] = [
  ['label', TEXTS],
  ['body', TEXTS],
  ['total', [Number.MIN_SAFE_INTEGER, -10, -9, 0, 2, 10, 100, Number.MAX_SAFE_INTEGER]],
  ['ratio', [-1e308, -0.5, 0, 5e-324, 0.5, 10, 1e308]],
  ['open', [false, true]],
  [
    'at',
    ['0001-01-01', '1900-01-01', '1970-01-01', '1999-12-31', '9999-12-31'].map((day) => new Date(`${day}T00:00:00Z`))
  ]
]

const REFUSED: readonly unknown[] = [
  null,
  5,
  [],
  'limit',
  { limit: -1 },
  { limit: 1.5 },
  { limit: Number.NaN },
  { limit: '10' },
  { limit: null },
  { offset: -1 },
  { offset: '0' },
  { order: 'label' },
  { order: { label: 'ASC' } },
  { order: ['label'] },
  { order: [['label']] },
  { order: [['label', 'asc']] },
  { order: [['label', 'ASC; drop table thing']] },
  { order: [['label', 1]] },
  { order: [[5, 'ASC']] },
  { order: [['label', 'ASC', 'x']] },
  {
    order: [
      ['label', 'ASC'],
      ['label', 'DESC']
    ]
  },
  { order: [['data', 'ASC']] },
  { order: [['tags', 'ASC']] },
  { relations: 'books' },
  { nope: 1 },
  { where: {} },
  { skip: 1 }
]

export const orderCases: Cases = {
  'values sort by their kind, null lowest, both ways': async ({ things }) => {
    for (const [field, values] of ORDERED) {
      const expected = [null, ...values]
      // Created backwards, so that the order of ids is no help.
      await things.createMany([...expected].reverse().map((value) => ({ [field]: value })))
      assert.deepEqual(column(await things.find({}, { order: [[field, 'ASC']] }), field), expected)
      assert.deepEqual(column(await things.find({}, { order: [[field, 'DESC']] }), field), [...expected].reverse())
      await things.delete({})
    }
  },
  'comparisons agree with the order': async ({ things }) => {
    await things.createMany(TEXTS.map((label, count) => ({ label, count })))
    for (const [index, label] of TEXTS.entries()) {
      assert.equal(await things.count({ label: { $lt: label } }), index, label)
      assert.equal(await things.count({ label: { $gt: label } }), TEXTS.length - index - 1, label)
    }
  },
  'rows without an order, and ties, come by id': async ({ things }) => {
    const rows = await things.createMany(
      Array.from({ length: 40 }, (_, index) => ({ label: 'same', count: index % 2 }))
    )
    const ids = column(rows, 'id')
    assert.deepEqual(ids, [...ids].sort(), 'ids sort as they were made')
    assert.deepEqual(column(await things.find(), 'id'), ids)
    const even = ids.filter((_, index) => index % 2 === 0)
    const odd = ids.filter((_, index) => index % 2 === 1)
    assert.deepEqual(column(await things.find({}, { order: [['count', 'ASC']] }), 'id'), [...even, ...odd])
    assert.deepEqual(column(await things.find({}, { order: [['count', 'DESC']] }), 'id'), [...odd, ...even])
    assert.deepEqual(column(await things.find({}, { order: [['id', 'DESC']] }), 'id'), [...ids].reverse())
    assert.equal((await things.findOne({ label: 'same' }))?.id, ids[0])
    assert.equal((await things.findOne({}, { order: [['id', 'DESC']] }))?.id, ids[39])
  },
  'several keys sort one within the other': async ({ things }) => {
    await things.createMany([
      { label: 'b', total: 1 },
      { label: 'a', total: 2 },
      { label: 'a', total: null },
      { label: 'b', total: 3 }
    ])
    const rows = await things.find(
      {},
      {
        order: [
          ['label', 'DESC'],
          ['total', 'ASC']
        ]
      }
    )
    assert.deepEqual(column(rows, 'total'), [1, 3, null, 2])
  },
  'pages neither repeat nor skip a row': async ({ things }) => {
    await things.createMany(Array.from({ length: 25 }, (_, index) => ({ label: 'same', count: index })))
    const seen: unknown[] = []
    for (let offset = 0; offset < 30; offset += 7) {
      seen.push(...column(await things.find({}, { limit: 7, offset, order: [['label', 'DESC']] }), 'count'))
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 25 }, (_, index) => index)
    )
    assert.deepEqual(await things.find({}, { limit: 0 }), [])
    assert.deepEqual(await things.find({}, { offset: 25 }), [])
    assert.equal((await things.find({}, { offset: 20 })).length, 5)
    assert.equal((await things.find({}, { limit: Number.MAX_SAFE_INTEGER })).length, 25)
    assert.equal((await things.findOne({}, { offset: 3 }))?.count, 3)
  },
  'bad options are refused': async ({ things }) => {
    for (const options of REFUSED) {
      await refused(() => things.find({}, options as FindOptions<AnyRow>), 'SVC_ORM_OPTIONS', 400)
    }
  }
}
