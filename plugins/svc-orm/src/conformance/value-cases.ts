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
  ['amount', ['0.00', '-0.01', '12.50', '92233720368547758.07', '-92233720368547758.08']],
  ['big', ['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808']],
  ['price', ['0.000', '10.500']],
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
  ['amount', ['', '1.005', '1,5', '1e3', ' 1', '.5', '5.', '92233720368547758.08', 0.001, Number.NaN, 1e17, {}]],
  ['big', ['', '1.5', '0x1', '9223372036854775808', 2n ** 63n, 2 ** 53, 1.5, true]],
  ['price', ['-0.001', '10.501', 11]],
  ['day', ['0999-12-31', '2024-02-30', '2023-02-29', '2024-1-1', '2024-01-01T00:00:00Z', '', 20240101, new Date()]],
  ['token', ['', 'x', '01985d3a7bc47def8a1b2c3d4e5f6071', '{01985d3a-7bc4-7def-8a1b-2c3d4e5f6071}', 1, {}]],
  ['state', ['', 'Draft', 'published', 'e\u0301', 'toString', 0, ['draft']]],
  ['states', ['draft', ['draft', 'other'], [null]]],
  ['stock', [-3, 6, 1.5, '1']],
  ['slug', ['a', '', 'ab1', 'Ab', 'ab\n']],
  ['seen', [new Date('2026-01-01T00:00:00.001Z'), '2027-01-01T00:00:00Z']],
  ['settings', [[], 'text', { size: '3' }, { size: 1.5 }]],
  ['owner', ['', 'x', 5, {}]],
  ['photo', ['x', 'AQI', 'AQ-_', 'AQI=\n', 'AR==', 1, [1], {}, new ArrayBuffer(1), { 0: 1, length: 1 }]],
  ['thumb', ['AQIDBA==', new Uint8Array(4)]]
]

const BYTES: readonly Uint8Array[] = [
  new Uint8Array(0),
  Uint8Array.of(0),
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
  // A view of a larger memory.
  Uint8Array.of(9, 1, 2, 9).subarray(1, 3),
  new Uint8Array(2_000_000).fill(255)
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
  'exact numbers stay exact, in rows, criteria, orders, sums and increments': async ({ things }) => {
    const given: readonly unknown[] = ['0.10', 0.2, 3n, '-007.5', '+1', null]
    for (const amount of given) await things.create({ amount, big: amount === null ? null : '9007199254740993' })
    const found = await things.find({}, { order: [['amount', 'ASC']] })
    assert.deepEqual(
      found.map(({ amount }) => amount),
      [null, '-7.50', '0.10', '0.20', '1.00', '3.00']
    )
    assert.equal(await things.count({ amount: '0.1' }), 1)
    assert.equal(await things.count({ amount: { $gt: 0.1, $lte: '3.00' } }), 3)
    assert.equal(await things.count({ amount: ['1', '3.0', '4', null] }), 3)
    assert.equal(await things.count({ big: { $gt: '9007199254740992' } }), 5)
    const sums = await things.aggregate(
      { amount: { $gt: 0 } },
      { sum: { sum: 'amount' }, least: { min: 'amount' }, most: { max: 'amount' }, avg: { avg: 'amount' } }
    )
    assert.deepEqual({ ...(sums as object) }, { sum: '4.30', least: '0.10', most: '3.00', avg: 1.075 })
    const none: Record<string, unknown> = await things.aggregate({ amount: '9' }, { sum: { sum: 'amount' } })
    assert.equal(none.sum, null)
    const groups = await things.groupBy({ amount: { $lt: 1 } }, { by: ['amount'], measures: { rows: { count: true } } })
    assert.deepEqual(
      groups.map((each) => ({ ...each })),
      [
        { amount: '-7.50', rows: 1 },
        { amount: '0.10', rows: 1 },
        { amount: '0.20', rows: 1 }
      ]
    )
    const { id } = await things.create({ amount: '0.10', big: '9223372036854775806' })
    assert.equal((await things.increment({ id }, 'amount', '0.20'))?.amount, '0.30')
    assert.equal((await things.increment({ id }, 'big'))?.big, '9223372036854775807')
    await refused(() => things.increment({ id }, 'big'), 'SVC_ORM_VALUE', 400)
    await refused(() => things.increment({ id }, 'amount', '0.001'), 'SVC_ORM_VALUE', 400)
    assert.equal((await things.updateOne({ id }, { $max: { amount: 5 } }))?.amount, '5.00')
    assert.equal((await things.updateOne({ id }, { $min: { amount: '4.5' } }))?.amount, '4.50')
    await things.createMany([{ price: '10.5' }, { price: 2 }, { price: '10' }])
    const walk = { order: [['price', 'DESC']], limit: 2 } as const
    const first = await things.page({ price: { $gt: 0 } }, walk)
    const rest = await things.page({ price: { $gt: 0 } }, { ...walk, after: first.next as string })
    assert.deepEqual(
      [...first.items, ...rest.items].map(({ price }) => price),
      ['10.500', '10.000', '2.000']
    )
  },
  'M3: integers at the end of what a double holds are read back, from rows, lists, groups and sums': async ({
    things
  }) => {
    const edges = ['9007199254740991', '9007199254740992', '9007199254740993']
    for (const edge of [...edges, ...edges.map((each) => `-${each}`)]) {
      const { id } = await things.create({ big: edge, amount: `${edge.slice(0, -2)}.${edge.slice(-2)}` })
      assert.equal((await things.findOne({ id }))?.big, edge)
      const [row] = await things.find({ big: edge })
      assert.deepEqual([row?.big, row?.amount], [edge, `${edge.slice(0, -2)}.${edge.slice(-2)}`])
      const sums = await things.aggregate({ id }, { sum: { sum: 'big' }, most: { max: 'amount' } })
      assert.deepEqual({ ...(sums as object) }, { sum: edge, most: row?.amount })
    }
    assert.equal((await things.find({}, { order: [['big', 'ASC']] })).length, 6)
    const parts = await things.createMany([
      { label: 'parts', big: '9007199254740990' },
      { label: 'parts', big: '2' }
    ])
    const groups = await things.groupBy({ label: 'parts' }, { by: ['label'], measures: { sum: { sum: 'big' } } })
    assert.deepEqual([parts.length, (groups[0] as Record<string, unknown> | undefined)?.sum], [2, '9007199254740992'])
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
  'bytes are kept as they are, given as such or as base64, and shown as base64': async ({ things }) => {
    for (const bytes of BYTES) {
      const text = Buffer.from(bytes).toString('base64')
      for (const photo of [bytes, Buffer.from(bytes), text]) {
        const { id, photo: made } = await things.create({ photo })
        const found = await things.findOne({ id })
        assert.ok(found?.photo instanceof Uint8Array)
        assert.deepEqual([JSON.stringify(found.photo), String(found.photo)], [JSON.stringify(text), text])
        assert.deepEqual(found.photo, made)
        const updated = await things.updateOne({ id }, { photo: null, thumb: Uint8Array.of(0, 255) })
        assert.deepEqual([updated?.photo, String(updated?.thumb)], [null, 'AP8='])
        assert.equal(String((await things.updateOne({ id }, { photo }))?.photo), text)
      }
    }
    assert.equal(await things.count({ photo: null }), 0)
    assert.equal(await things.count({ photo: { $null: false } }), BYTES.length * 3)
    for (const photo of ['AQ==', Uint8Array.of(1), { $gt: 'AQ==' }, { $in: ['AQ=='] }, { $like: '%' }]) {
      await refused(() => things.count({ photo }), 'SVC_ORM_CRITERIA', 400)
    }
    await refused(() => things.find({}, { order: [['photo', 'ASC']] }), 'SVC_ORM_OPTIONS', 400)
    await refused(() => things.distinct('photo'), 'SVC_ORM_OPTIONS', 400)
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
    const given = { tags: ['a'], data: { list: [1] }, at: new Date(0), photo: Uint8Array.of(1) }
    const row = await things.create(given)
    given.tags.push('b')
    given.data.list.push(2)
    given.at.setTime(1)
    given.photo[0] = 2
    row.tags.push('c')
    row.data.list.push(3)
    row.photo[0] = 3
    const found = await things.findOne({ id: row.id })
    assert.deepEqual([found?.tags, found?.data, found?.at], [['a'], { list: [1] }, new Date(0)])
    assert.equal(String(found?.photo), 'AQ==')
  }
}
