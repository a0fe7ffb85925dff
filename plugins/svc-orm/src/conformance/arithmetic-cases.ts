/** Arithmetic in changes: exact, rounded half away from zero, within bounds, decided on what the row holds. */
import assert from 'node:assert/strict'
import { atOnce } from 'svc-stores/conformance'
import { type Cases, column, refused } from './conformance-suite.ts'

const LATE = new Date('2025-01-01T00:00:00Z')
const EARLY = new Date('2024-01-01T00:00:00Z')

/** Worked out by hand. */
const COMPUTED: readonly (readonly [field: string, before: unknown, operator: object, after: unknown])[] = [
  ['count', 5, { $add: 2 }, 7],
  ['count', 5, { $sub: 7 }, -2],
  ['total', null, { $add: 4 }, 4],
  ['total', null, { $sub: 4 }, -4],
  ['total', null, { $mul: 4 }, null],
  ['total', 9, { $min: 4 }, 4],
  ['total', 9, { $max: 4 }, 9],
  ['total', null, { $max: 4 }, 4],
  ['at', LATE, { $min: EARLY }, EARLY],
  ['at', EARLY, { $max: '2025-01-01T00:00:00Z' }, LATE],
  ['count', 7, { $mul: 3 }, 21],
  ['count', 7, { $mul: '0.5' }, 4],
  ['count', -7, { $mul: 0.5 }, -4],
  ['count', 5, { $mul: '0.1' }, 1],
  ['count', 4, { $mul: '0.1' }, 0],
  ['count', 4, { $mul: '-2.5' }, -10],
  ['count', 3, { $mul: 0 }, 0],
  ['total', 9_007_199_254_740_991, { $mul: '0.5' }, 4_503_599_627_370_496],
  ['total', 9_007_199_254_740_991, { $mul: -1 }, -9_007_199_254_740_991],
  ['ratio', 0.1, { $add: 0.2 }, 0.30000000000000004],
  ['ratio', 0.1, { $mul: 3 }, 0.30000000000000004],
  ['ratio', 2, { $mul: '1.5' }, 3],
  ['ratio', 0, { $mul: -1 }, 0],
  ['amount', '10.00', { $mul: '1.1' }, '11.00'],
  ['amount', '0.05', { $mul: '1.1' }, '0.06'],
  ['amount', '-0.05', { $mul: '1.1' }, '-0.06'],
  ['amount', '0.05', { $mul: '0.5' }, '0.03'],
  ['amount', '-0.05', { $mul: '0.5' }, '-0.03'],
  ['amount', '0.01', { $mul: '0.49' }, '0.00'],
  ['amount', '19.99', { $mul: 1.19 }, '23.79'],
  ['amount', '100.00', { $mul: '.5' }, '50.00'],
  ['amount', '92233720368547758.07', { $mul: '0.999999999999999' }, '92233720368547665.84'],
  ['amount', '92233720368547758.07', { $mul: '-1.000' }, '-92233720368547758.07'],
  ['amount', '1.25', { $sub: '0.30' }, '0.95'],
  ['big', '9007199254740993', { $mul: 3 }, '27021597764222979'],
  ['big', '9007199254740993', { $mul: '1.5' }, '13510798882111490'],
  ['big', '-9223372036854775808', { $mul: '0.5' }, '-4611686018427387904'],
  ['big', '9223372036854775806', { $add: 1n }, '9223372036854775807']
]

const REFUSED: readonly object[] = [
  { count: { $inc: 1 } },
  { count: {} },
  { count: { $add: 1, $mul: 2 } },
  { count: { $add: 1.5 } },
  { count: { $add: '1' } },
  { count: { $add: null } },
  { count: { $mul: 'x' } },
  { count: { $mul: '' } },
  { count: { $mul: '.' } },
  { count: { $mul: null } },
  { count: { $mul: Number.NaN } },
  { count: { $mul: '1.0000000000000001' } },
  { count: { $mul: '1e3' } },
  { ratio: { $mul: Number.POSITIVE_INFINITY } },
  { ratio: { $mul: 'x' } },
  { amount: { $add: '0.001' } },
  { big: { $sub: '-9223372036854775808' } },
  { label: { $add: 1 } },
  { label: { $max: 'z' } },
  { at: { $add: 1 } },
  { open: { $mul: 1 } },
  { cost: { $mul: '1.1' } },
  { numbers: { $add: 1 } },
  { tags: { $max: 'x' } },
  { count: { $add: 1 }, $max: { count: 2 } },
  { count: { $max: 1 }, $max: { count: 2 } }
]

export const arithmeticCases: Cases = {
  'values are computed in the database, exactly where the field is exact': async ({ things }) => {
    for (const [field, before, operator, after] of COMPUTED) {
      const what = JSON.stringify([field, before, operator], (_, value) =>
        typeof value === 'bigint' ? String(value) : (value as unknown)
      )
      const [one, other] = await things.createMany([{ [field]: before }, { [field]: before }])
      const changes = { [field]: operator }
      assert.deepEqual((await things.updateOne({ id: one?.id ?? '' }, changes))?.[field], after, what)
      assert.equal(await things.updateMany({ id: other?.id ?? '' }, changes), 1)
      assert.deepEqual((await things.findOne({ id: other?.id ?? '' }))?.[field], after, what)
    }
  },
  'several fields at once, beside plain values and bounds': async ({ things }) => {
    const { id } = await things.create({ count: 5, total: 5, amount: '2.00', ratio: 0.5, label: 'before', short: 'x' })
    const changes = {
      count: { $add: 2 },
      total: { $sub: 1 },
      amount: { $mul: '1.5' },
      ratio: { $mul: 2 },
      label: 'after',
      short: null,
      $max: { big: 7 }
    }
    const row = await things.updateOne({ id }, changes)
    const found = [row?.count, row?.total, row?.amount, row?.ratio, row?.label, row?.short, row?.big]
    assert.deepEqual(found, [7, 4, '3.00', 1, 'after', null, '7'])
    assert.deepEqual(await things.findOne({ id }), row)
    assert.deepEqual(row?.body, null, 'what is not named stays as it is')
  },
  'what is no arithmetic of the field is refused, and nothing is written': async ({ things }) => {
    const { id } = await things.create({ count: 5, ratio: 1, amount: '1.00', big: '1', label: 'a', cost: '1.00 EUR' })
    const before = await things.findOne({ id })
    for (const changes of REFUSED) {
      await refused(() => things.updateOne({ id }, changes as never), 'SVC_ORM_VALUE', 400)
      await refused(() => things.updateMany({ id }, changes as never), 'SVC_ORM_VALUE', 400)
    }
    assert.deepEqual(await things.findOne({ id }), before)
  },
  'a field of JSON takes an operator for a value': async ({ things }) => {
    const { id } = await things.create({ data: { $add: 1 } })
    assert.deepEqual((await things.findOne({ id }))?.data, { $add: 1 })
    assert.deepEqual((await things.updateOne({ id }, { data: { $mul: 2 }, count: { $add: 1 } }))?.data, { $mul: 2 })
    assert.deepEqual((await things.updateOne({ id }, { data: { $set: 3 }, count: { $mul: 4 } }))?.data, { $set: 3 })
    assert.equal((await things.findOne({ id }))?.count, 4)
  },
  'a product past what its field can hold is refused': async ({ things }) => {
    const row = { amount: '92233720368547758.07', big: '-9223372036854775808', total: 9_007_199_254_740_991 }
    const { id } = await things.create(row)
    for (const changes of [
      { amount: { $mul: '1.00000000000001' } },
      { big: { $mul: -1 } },
      { big: { $mul: '999999999999999' } },
      { total: { $mul: 2 } },
      { total: { $mul: '-999999999999999' } }
    ]) {
      await refused(() => things.updateOne({ id }, changes), 'SVC_ORM_VALUE', 400)
      await refused(() => things.updateMany({ id }, changes), 'SVC_ORM_VALUE', 400)
    }
    const found = await things.findOne({ id })
    assert.deepEqual({ amount: found?.amount, big: found?.big, total: found?.total }, row)
  },
  'computed values keep the bounds of their field, in one row': async ({ things }) => {
    // price: 0 to 10.5, in thousandths; stock: -2 to 5.
    const { id } = await things.create({ price: '7.000', stock: 2 })
    await refused(() => things.updateOne({ id }, { price: { $mul: '1.5001' } }), 'SVC_ORM_VALUE', 400)
    await refused(() => things.updateOne({ id }, { price: { $mul: '-1' } }), 'SVC_ORM_VALUE', 400)
    await refused(() => things.updateOne({ id }, { price: { $sub: '7.001' } }), 'SVC_ORM_VALUE', 400)
    await refused(() => things.updateOne({ id }, { stock: { $mul: -2 } }), 'SVC_ORM_VALUE', 400)
    await refused(() => things.updateOne({ id }, { stock: { $add: 1 }, price: { $mul: 2 } }), 'SVC_ORM_VALUE', 400)
    assert.deepEqual([(await things.findOne({ id }))?.price, (await things.findOne({ id }))?.stock], ['7.000', 2])
    // 10.5004 is rounded to the bound.
    assert.equal((await things.updateOne({ id }, { price: { $mul: '1.50005' } }))?.price, '10.500')
    assert.equal((await things.updateOne({ id }, { stock: { $mul: -1 } }))?.stock, -2)
    assert.equal((await things.updateOne({ id }, { stock: { $mul: '-2.4' } }))?.stock, 5)
    assert.equal((await things.updateOne({ id }, { price: { $mul: 0 } }))?.price, '0.000')
    const { id: empty } = await things.create({})
    assert.equal((await things.updateOne({ id: empty }, { stock: { $mul: 9 } }))?.stock, null)
    assert.equal(await things.updateOne({ id, stock: 1 }, { stock: { $add: 9 } }), null, 'no such row')
  },
  'a hundred changes that compute, at once, all count': async ({ things }) => {
    const { id } = await things.create({ count: 1, amount: '1.00' })
    await atOnce(30, () => things.updateOne({ id }, { count: { $mul: 2 }, amount: { $sub: '0.01' } }))
    const row = await things.findOne({ id })
    assert.deepEqual([row?.count, row?.amount], [2 ** 30, '0.70'])
  },
  'a change that computes is a version, and a stamp': async ({ repository, pairs }) => {
    const folders = repository('Folder')
    const { id } = await folders.create({ path: '/', files: 3 })
    const row = await folders.updateOne({ id, version: 1 }, { files: { $mul: '1.5' } })
    assert.deepEqual([row?.files, row?.version], [5, 2])
    await refused(() => folders.updateOne({ id }, { version: 1, files: { $add: 1 } }), 'SVC_ORM_VERSION', 409)
    assert.equal((await folders.updateOne({ id }, { version: 2, files: { $add: 1 } }))?.version, 3)
    assert.equal(await folders.updateMany({}, { files: { $sub: 6 } }), 1)
    assert.deepEqual(column(await folders.find(), 'version'), [4])
    const pair = await pairs.create({ left: 'l' })
    const after = await pairs.updateOne({ id: pair.id }, { visits: { $mul: 2 }, right: 'r' })
    assert.ok(after?.updatedAt >= pair.updatedAt)
  }
}

/** Of servers with transactions. */
export const boundedUpdateCases: Cases = {
  'of many rows all keep their bounds, or none is changed': async ({ things }) => {
    await things.createMany([{ stock: 1 }, { stock: 3 }, { stock: null }, { stock: 5, label: 'other' }])
    const held = async () => column(await things.find({}), 'stock')
    await refused(() => things.updateMany({}, { stock: { $add: 1 } }), 'SVC_ORM_VALUE', 400)
    await refused(() => things.updateMany({}, { stock: { $mul: 2 }, label: 'x' }), 'SVC_ORM_VALUE', 400)
    assert.deepEqual(await held(), [1, 3, null, 5])
    assert.equal(await things.updateMany({ label: null }, { stock: { $add: 2 } }), 3)
    assert.deepEqual(await held(), [3, 5, 2, 5])
    assert.equal(await things.updateMany({}, { stock: { $mul: '0.5' } }), 4)
    assert.deepEqual(await held(), [2, 3, 1, 3])
    assert.equal(await things.updateMany({ label: 'nobody' }, { stock: { $add: 99 } }), 0)
  },
  'a refusal leaves a transaction as it was': async ({ things }) => {
    const { id } = await things.create({ stock: 5 })
    await things.withTransaction(async (inside) => {
      await refused(() => inside.updateOne({ id }, { stock: { $add: 1 } }), 'SVC_ORM_VALUE', 400)
      await refused(() => inside.updateMany({}, { stock: { $add: 1 } }), 'SVC_ORM_VALUE', 400)
      assert.equal((await inside.updateOne({ id }, { stock: { $sub: 1 } }))?.stock, 4)
    })
    assert.equal((await things.findOne({ id }))?.stock, 4)
  },
  'hooks see the operators of a change, and may take them out': async ({ repository }) => {
    const letters = repository('Letter')
    const { id } = await letters.create({ text: 'four' })
    const row = await letters.updateOne({ id }, { read: { $add: 2 }, size: { $mul: 3 } })
    assert.deepEqual([row?.read, row?.size, row?.version], [2, 12, 2])
    assert.equal((await letters.updateOne({ id }, { text: 'seven', size: { $mul: 3 } }))?.size, 5)
  }
}
