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
