/** What fields keep, and what they refuse. */
import assert from 'node:assert/strict'
import { type Cases, refused } from './conformance-suite.ts'
import { STRANGE_TEXTS, UNSTORABLE_TEXTS } from './strange-texts.ts'

/** Kept exactly, and read as the same type. */
const KEPT: readonly (readonly [field: string, values: readonly unknown[]])[] = [
  ['body', ['x'.repeat(2_000_000), '👩‍👩‍👧‍👦'.repeat(1000)]],
  ['count', [0, 1, -1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]],
  ['ratio', [0, 0.1, -1.5, 1e308, 5e-324, 2 ** 53, Math.PI, 3]],
  ['open', [true, false]],
  ['short', ['', 'abc', '👩👩👩']],
  ['tags', [[], ['a'], ['b', 'a', 'b', '', 'null', '👩', 'a,b', '"', '{}']]],
  ['day', ['1000-01-01', '2024-02-29', '9999-12-31']],
  ['token', ['00000000-0000-0000-0000-000000000000', '01985d3a-7bc4-7def-8a1b-2c3d4e5f6071']],
  ['state', ['draft', 'Published', 'é']],
  ['states', [[], ['draft', 'Published', 'draft']]],
  ['stock', [-2, 0, 5]],
  ['slug', ['ab', 'x'.repeat(500)]],
  ['settings', [{}, { size: 3, more: [null] }]],
  ['numbers', [[], [3, 1, 2, -0, Number.MAX_SAFE_INTEGER].map((each) => each + 0)]],
  ['data', [{}, [], 'text', 0, false, { a: [1, { b: null }], 'a.b': 1, $set: 2, '': 3 }, [[[]]], { n: 1.5e300 }]]
]

const DATES = [
  '1970-01-01T00:00:00.000Z',
  '2024-02-29T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '1900-06-15T12:00:00.001Z'
]

const REFUSED: readonly (readonly [field: string, values: readonly unknown[]])[] = [
  ['label', [1, true, {}, [], new Date(), ['a'], { $ne: '' }, Symbol('s'), () => 'x', ...UNSTORABLE_TEXTS]],
  ['short', ['abcd', '👩👩👩👩']],
  ['count', [null, '1', 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1n, true, {}, { $inc: 1 }]],
  ['ratio', ['1', Number.NaN, Number.NEGATIVE_INFINITY, [1], {}]],
  ['open', [0, 1, 'true', {}]],
  [
    'at',
    [
      0,
      Date.now(),
      '2024',
      '2024-01-01',
      '2024-02-30T00:00:00Z',
      '2024-01-01T00:00:00',
      'x',
      new Date(Number.NaN),
      new Date(8.64e15),
      {}
    ]
  ],
  [
    'data',
    [Number.NaN, { a: undefined }, { a: () => 1 }, { a: 1n }, new Date(), new Map(), { a: 'nul\0' }, { '\ud800': 1 }]
  ],
  ['tags', ['a', [1], [null], [['a']], ['nul\0'], {}, { 0: 'a', length: 1 }]],
  ['numbers', [[1.5], ['1'], [Number.NaN], 1]],
  ['day', ['0999-12-31', '2024-02-30', '2023-02-29', '2024-1-1', '2024-01-01T00:00:00Z', '', 20240101, new Date()]],
  ['token', ['', 'x', '01985d3a7bc47def8a1b2c3d4e5f6071', '{01985d3a-7bc4-7def-8a1b-2c3d4e5f6071}', 1, {}]],
  ['state', ['', 'Draft', 'published', 'e\u0301', 'toString', 0, ['draft']]],
  ['states', ['draft', ['draft', 'other'], [null]]],
  ['stock', [-3, 6, 1.5, '1']],
  ['slug', ['a', '', 'ab1', 'Ab', 'ab\n']],
  ['seen', [new Date('2026-01-01T00:00:00.001Z'), '2027-01-01T00:00:00Z']],
  ['settings', [[], 'text', { size: '3' }, { size: 1.5 }]],
  ['owner', ['', 'x', 5, {}]]
]

export const valueCases: Cases = {
  'every type keeps its values exactly': async ({ things }) => {
    for (const [field, values] of KEPT) {
      for (const value of values) {
        const { id } = await things.create({ [field]: value })
        assert.deepEqual((await things.findOne({ id }))?.[field], value, `${field} of create`)
        const { id: other } = await things.create({})
        assert.deepEqual(
          (await things.updateOne({ id: other }, { [field]: value }))?.[field],
          value,
          `${field} of update`
        )
      }
    }
  },
  'days and values of an enum compare as text, a uuid has one form': async ({ things }) => {
    const days = ['2024-12-31', '2025-01-01', '2024-02-29']
    const upper = '01985D3A-7BC4-7DEF-8A1B-2C3D4E5F6071'
    for (const day of days) await things.create({ day, token: upper, state: 'Published', states: ['Published'] })
    const found = await things.find({ day: { $gt: '2024-03-01' } }, { order: [['day', 'ASC']] })
    assert.deepEqual(
      found.map(({ day, token }) => [day, token]),
      [
        ['2024-12-31', upper.toLowerCase()],
        ['2025-01-01', upper.toLowerCase()]
      ]
    )
    assert.equal(await things.count({ token: upper }), 3)
    assert.equal(await things.count({ state: ['draft', 'Published'], states: 'Published' }), 3)
    await refused(() => things.count({ state: 'other' }), 'SVC_ORM_CRITERIA', 400)
    await refused(() => things.count({ day: '2024-13-01' }), 'SVC_ORM_CRITERIA', 400)
    assert.deepEqual(await things.aggregate({}, { first: { min: 'day' }, last: { max: 'day' } }), {
      first: '2024-02-29',
      last: '2025-01-01'
    })
  },
  'an increment keeps the bounds of its field, whatever the field held': async ({ things }) => {
    const { id } = await things.create({ stock: 4 })
    assert.equal((await things.increment({ id }, 'stock'))?.stock, 5)
    await refused(() => things.increment({ id }, 'stock'), 'SVC_ORM_VALUE', 400)
    await refused(() => things.increment({ id }, 'stock', -8), 'SVC_ORM_VALUE', 400)
    assert.equal((await things.findOne({ id }))?.stock, 5)
    assert.equal((await things.increment({ id }, 'stock', -7))?.stock, -2)
    assert.equal(await things.increment({ id: (await things.create({})).id, stock: 1 }, 'stock'), null)
    const { id: empty } = await things.create({})
    await refused(() => things.increment({ id: empty }, 'stock', 6), 'SVC_ORM_VALUE', 400)
    assert.equal((await things.increment({ id: empty }, 'stock', 3))?.stock, 3)
  },
  'dates keep their milliseconds, given as Date or as text': async ({ things }) => {
    for (const text of DATES) {
      const byDate = await things.create({ at: new Date(text) })
      const byText = await things.create({ at: text })
      for (const { id } of [byDate, byText]) assert.deepEqual((await things.findOne({ id }))?.at, new Date(text))
      assert.equal(await things.count({ at: new Date(text) }), 2)
    }
    const zoned = await things.create({ at: '2024-01-01T01:00:00+02:00' })
    assert.deepEqual(zoned.at, new Date('2023-12-31T23:00:00Z'))
  },
  'strange texts are kept and found as they are, and find nothing but themselves': async ({ things }) => {
    await things.createMany(
      STRANGE_TEXTS.map((label) => ({ label, tags: [label, 'same'], code: label, data: { [label]: label } }))
    )
    for (const label of STRANGE_TEXTS) {
      const found = await things.find({ label })
      assert.equal(found.length, 1, label.slice(0, 30))
      assert.equal(found[0]?.label, label)
      assert.deepEqual(found[0]?.tags, [label, 'same'])
      assert.deepEqual(Object.entries(found[0]?.data), [[label, label]])
      assert.equal(await things.count({ tags: label }), 1)
      assert.equal((await things.updateOne({ code: label }, { body: label }))?.body, label)
    }
    assert.equal(await things.count({ tags: 'same' }), STRANGE_TEXTS.length)
  },
  'a value of another type is refused, and nothing is written': async ({ things }) => {
    const { id } = await things.create({})
    const before = await things.findOne({ id })
    for (const [field, values] of REFUSED) {
      for (const value of values) {
        await refused(() => things.create({ [field]: value }), 'SVC_ORM_VALUE', 400)
        await refused(() => things.updateOne({ id }, { [field]: value }), 'SVC_ORM_VALUE', 400)
      }
    }
    for (const values of [null, undefined, 'text', [], new Date()]) {
      await refused(() => things.create(values as never), 'SVC_ORM_VALUE', 400)
      await refused(() => things.updateOne({ id }, values as never), 'SVC_ORM_VALUE', 400)
    }
    assert.equal(await things.count(), 1)
    assert.deepEqual(await things.findOne({ id }), before)
  },
  'rows are the caller’s own: what it does to them, and to what it gave, changes nothing': async ({ things }) => {
    const given = { tags: ['a'], data: { list: [1] }, at: new Date(0) }
    const row = await things.create(given)
    given.tags.push('b')
    given.data.list.push(2)
    given.at.setTime(1)
    row.tags.push('c')
    row.data.list.push(3)
    const found = await things.findOne({ id: row.id })
    assert.deepEqual([found?.tags, found?.data, found?.at], [['a'], { list: [1] }, new Date(0)])
  }
}
