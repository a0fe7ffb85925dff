/** What criteria find: each operator on each type, null and absent, lists, ids. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import type { Repository } from '../repository/repository.ts'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'
import { STRANGE_NAMES, UNSTORABLE_TEXTS } from './strange-texts.ts'

const DAY = (day: number) => new Date(Date.UTC(2024, 0, day))

const ROWS: readonly Partial<AnyRow>[] = [
  { label: 'a', count: 1, ratio: 0.5, open: true, at: DAY(1), tags: ['x', 'y'], numbers: [1, 2], data: { k: 1 } },
  { label: 'b', count: 2, ratio: 1.5, open: false, at: DAY(2), tags: ['y'], numbers: [3], data: [] },
  { label: 'B', count: 3, ratio: -1, open: true, at: DAY(3), tags: [], numbers: [] },
  { label: '', count: 4 },
  { count: 5, label: null }
]

/** Criteria and the `count` of the rows they find. */
const TABLE: readonly (readonly [criteria: Readonly<Record<string, unknown>>, counts: readonly number[]])[] = [
  [{}, [1, 2, 3, 4, 5]],
  [{ label: 'a' }, [1]],
  [{ label: 'A' }, []],
  [{ label: '' }, [4]],
  [{ label: null }, [5]],
  [{ label: { $eq: 'b' } }, [2]],
  [{ label: { $eq: null } }, [5]],
  [{ label: { $ne: 'a' } }, [2, 3, 4, 5]],
  [{ label: { $ne: null } }, [1, 2, 3, 4]],
  [{ label: { $null: true } }, [5]],
  [{ label: { $null: false } }, [1, 2, 3, 4]],
  [{ ratio: { $null: true } }, [4, 5]],
  [{ data: null }, [3, 4, 5]],
  [{ data: { $ne: null } }, [1, 2]],
  [{ label: ['a', 'b'] }, [1, 2]],
  [{ label: ['a', null] }, [1, 5]],
  [{ label: [] }, []],
  [{ label: [null] }, [5]],
  [{ label: { $in: ['a', 'a', 'z'] } }, [1]],
  [{ label: { $in: [] } }, []],
  [{ label: { $nin: [] } }, [1, 2, 3, 4, 5]],
  [{ label: { $nin: ['a'] } }, [2, 3, 4, 5]],
  [{ label: { $nin: ['a', null] } }, [2, 3, 4]],
  [{ label: { $nin: [null] } }, [1, 2, 3, 4]],
  [{ label: { $gt: 'B' } }, [1, 2]],
  [{ label: { $gte: 'B' } }, [1, 2, 3]],
  [{ label: { $lt: 'a' } }, [3, 4]],
  [{ label: { $lte: '' } }, [4]],
  [{ count: 2 }, [2]],
  [{ count: { $gt: 1, $lt: 4 } }, [2, 3]],
  [{ count: { $gte: 1, $lte: 5, $ne: 3, $nin: [4] } }, [1, 2, 5]],
  [{ count: { $gt: 3 }, label: { $null: false } }, [4]],
  [{ count: { $gt: 5 } }, []],
  [{ ratio: { $lt: 0 } }, [3]],
  [{ ratio: { $ne: 0.5 } }, [2, 3, 4, 5]],
  [{ ratio: -1 }, [3]],
  [{ open: true }, [1, 3]],
  [{ open: false }, [2]],
  [{ open: { $ne: true } }, [2, 4, 5]],
  [{ open: [true, false] }, [1, 2, 3]],
  [{ open: [false, null] }, [2, 4, 5]],
  [{ at: DAY(2) }, [2]],
  [{ at: '2024-01-02T00:00:00Z' }, [2]],
  [{ at: { $gte: DAY(2), $lt: '2024-01-04T00:00:00.000Z' } }, [2, 3]],
  [{ at: { $in: [DAY(1), '2024-01-03T00:00:00Z'] } }, [1, 3]],
  [{ at: { $ne: DAY(1) } }, [2, 3, 4, 5]],
  [{ tags: 'y' }, [1, 2]],
  [{ tags: 'z' }, []],
  [{ tags: '' }, []],
  [{ tags: ['x', 'z'] }, [1]],
  [{ tags: ['x', null] }, [1, 4, 5]],
  [{ tags: { $ne: 'x' } }, [2, 3, 4, 5]],
  [{ tags: { $nin: ['x', null] } }, [2, 3]],
  [{ tags: [] }, []],
  [{ tags: null }, [4, 5]],
  [{ tags: { $null: false } }, [1, 2, 3]],
  [{ tags: { $eq: 'x', $ne: 'z' } }, [1]],
  [{ numbers: 3 }, [2]],
  [{ numbers: [2, 3] }, [1, 2]],
  [{ numbers: { $nin: [1] } }, [2, 3, 4, 5]],
  [{ $or: [] }, []],
  [{ $or: [{ label: 'a' }, { count: { $gt: 4 } }] }, [1, 5]],
  [{ $or: [{ label: 'a' }, { label: 'b' }], open: false }, [2]],
  [
    {
      $or: [
        { label: 'a', open: false },
        { label: 'b', open: false }
      ]
    },
    [2]
  ],
  [{ $and: [] }, [1, 2, 3, 4, 5]],
  [{ $and: [{ count: { $gt: 1 } }, { count: { $lt: 3 } }] }, [2]],
  [{ $and: [{ $or: [{ count: 1 }, { count: 2 }] }, { $or: [{ count: 2 }, { count: 3 }] }] }, [2]],
  [{ $not: { label: 'a' } }, [2, 3, 4, 5]],
  [{ $not: { label: 'a', count: 1 } }, [2, 3, 4, 5]],
  [{ $not: { label: 'a', count: 2 } }, [1, 2, 3, 4, 5]],
  [{ $not: { ratio: { $gt: 0 } } }, [3, 4, 5]],
  [{ $not: { ratio: { $gt: 0 } }, ratio: { $null: false } }, [3]],
  [{ $not: { at: { $lt: DAY(2) } } }, [2, 3, 4, 5]],
  [{ $not: { label: { $like: '%' } } }, [5]],
  [{ $not: { tags: 'x' } }, [2, 3, 4, 5]],
  [{ $not: { $or: [{ label: 'a' }, { label: null }] } }, [2, 3, 4]],
  [{ $not: { $not: { label: { $ne: 'a' } } } }, [2, 3, 4, 5]]
]

/** Criteria that no row can meet by right, or that would mean something else. */
const REFUSED: readonly Readonly<Record<string, unknown>>[] = [
  { label: undefined },
  { label: { $eq: undefined } },
  { label: { $gt: undefined } },
  { label: [undefined] },
  { label: 5 },
  { label: {} },
  { label: { $gt: null } },
  { label: { $in: 'a' } },
  { label: { $in: null } },
  { label: { $in: [['a']] } },
  { label: { $null: 1 } },
  { label: { $null: null } },
  { label: { $eq: { $gt: '' } } },
  { label: { $where: 'true' } },
  { label: { $regex: '.*' } },
  { label: { $exists: true } },
  { label: { $or: [] } },
  { label: { $not: { $eq: 'a' } } },
  { label: { a: 1 } },
  { label: { $eq: 'a', nope: 1 } },
  { label: /a/ },
  { label: new Map() },
  { label: new Date(0) },
  { count: '1' },
  { count: 1.5 },
  { count: Number.NaN },
  { count: { $like: '1%' } },
  { ratio: Number.POSITIVE_INFINITY },
  { open: 1 },
  { open: { $gt: false } },
  { at: 0 },
  { at: 'yesterday' },
  { at: new Date(Number.NaN) },
  { data: { k: 1 } },
  { data: 'x' },
  { data: { $gt: 1 } },
  { tags: { $gt: 'a' } },
  { tags: { $like: 'a%' } },
  { tags: { x: 1 } },
  { owner: { $like: '%' } },
  { id: { $like: '%' } },
  { id: { a: 1 } },
  { id: undefined },
  { $or: 1 },
  { $or: [{}] },
  { $or: [{ label: 'x' }, {}] },
  { $not: {} },
  { $and: [{ label: 'x' }, {}] },
  { $or: { label: 'a' } },
  { $or: ['a'] },
  { $or: [null] },
  { $or: undefined },
  { $or: [{ label: undefined }] },
  { $and: { label: 'a' } },
  { $and: [{ count: '1' }] },
  { $not: [] },
  { $not: [{ label: 'a' }] },
  { $not: null },
  { $not: undefined },
  { $not: { label: 5 } },
  Array.from({ length: 40 }).reduce<Record<string, unknown>>((inner) => ({ $not: inner }), { label: 'a' }),
  ...UNSTORABLE_TEXTS.map((label) => ({ label }))
]

/** Every operation that takes criteria. */
function calls(things: Repository, criteria: unknown): (() => Promise<unknown>)[] {
  const given = criteria as Record<string, unknown>
  return [
    () => things.find(given),
    () => things.findOne(given),
    () => things.count(given),
    () => things.exists(given),
    () => things.updateOne(given, { count: 9 }),
    () => things.updateMany(given, { count: 9 }),
    () => things.increment(given, 'count'),
    () => things.delete(given),
    () => things.deleteOne(given),
    () => things.findOneAndDelete(given)
  ]
}

async function seed({ things }: CaseContext): Promise<Repository> {
  await things.createMany(ROWS)
  return things
}

export const criteriaCases: Cases = {
  'M7: a list that holds null is not null': async ({ things }) => {
    const rows = [{ data: [null] }, { data: [[null], 1] }, { data: { k: null } }, { data: [] }, { data: null }, {}]
    await things.createMany(rows.map((row, count) => ({ ...row, count })))
    for (const criteria of [{ data: null }, { data: { $null: true } }, { $not: { data: { $ne: null } } }]) {
      assert.deepEqual(column(await things.find(criteria), 'count').sort(), [4, 5], JSON.stringify(criteria))
    }
    for (const criteria of [{ data: { $ne: null } }, { data: { $null: false } }, { $not: { data: null } }]) {
      assert.deepEqual(column(await things.find(criteria), 'count').sort(), [0, 1, 2, 3], JSON.stringify(criteria))
    }
    const both = { data: { $ne: null }, tags: null, $or: [{ count: 1 }, { count: 5 }] }
    assert.deepEqual(column(await things.find(both), 'count'), [1])
  },
  'M8: thousands of alternatives, and of criteria that all have to be met, are one criterion': async (context) => {
    const things = await seed(context)
    const alternatives = Array.from({ length: 2000 }, (_, index) => ({ count: index + 2, label: { $ne: `x${index}` } }))
    assert.deepEqual(column(await things.find({ $or: alternatives }), 'count').sort(), [2, 3, 4, 5])
    assert.equal(await things.count({ $not: { $or: alternatives } }), 1)
    const all = Array.from({ length: 1200 }, (_, index) => ({ label: { $ne: `x${index}` } }))
    assert.equal(await things.count({ $and: all, count: { $gt: 1 } }), 4)
    assert.equal(await things.updateMany({ $or: alternatives }, { total: 1 }), 4)
  },
  'each criterion finds what it says, and counts as much': async (context) => {
    const things = await seed(context)
    for (const [criteria, counts] of TABLE) {
      const shown = JSON.stringify(criteria)
      assert.deepEqual(column(await things.find(criteria), 'count').sort(), counts, shown)
      assert.equal(await things.count(criteria), counts.length, shown)
      assert.equal(await things.exists(criteria), counts.length > 0, shown)
    }
  },
  'criteria that would mean something else are refused by every operation, and change nothing': async (context) => {
    const things = await seed(context)
    const before = await things.find()
    for (const criteria of REFUSED) {
      for (const call of calls(things, criteria)) await refused(call, 'SVC_ORM_CRITERIA', 400)
    }
    for (const criteria of [null, 'x', 5, [], [{ label: 'a' }], new Date(), new Map()]) {
      for (const call of calls(things, criteria)) await refused(call, 'SVC_ORM_CRITERIA', 400)
    }
    assert.deepEqual(await things.find(), before)
  },
  'unknown fields are refused by name in criteria and order, and never reach the database': async (context) => {
    const things = await seed(context)
    const before = await things.find()
    for (const name of STRANGE_NAMES) {
      const criteria: unknown = JSON.parse(`{${JSON.stringify(name)}: 1}`)
      for (const call of calls(things, criteria)) await refused(call, 'SVC_ORM_UNKNOWN_FIELD', 400)
      await refused(() => things.find({}, { order: [[name, 'ASC']] }), 'SVC_ORM_UNKNOWN_FIELD', 400)
      await refused(() => things.find({}, { relations: [name] }), 'SVC_ORM_UNKNOWN_RELATION', 400)
      await refused(() => things.upsert({ [name]: 1 }, {}), 'SVC_ORM_UNKNOWN_FIELD', 400)
      await refused(() => things.increment({}, name), 'SVC_ORM_VALUE', 400)
    }
    assert.deepEqual(await things.find(), before)
  },
  'an id of another form finds nothing and is no mistake': async ({ connector, things }) => {
    const { id } = await things.create({ label: 'a' })
    await things.updateOne({ id }, { owner: id })
    assert.equal((await things.findOne({ id }))?.label, 'a')
    assert.equal((await things.findOne({ owner: id }))?.label, 'a')
    assert.equal(await things.findOne({ id: connector.ids.generate() }), null)
    for (const wrong of [
      '',
      'x',
      '0',
      5,
      true,
      'nul\0',
      '\ud800',
      id.toUpperCase() === id ? `${id} ` : id.toUpperCase(),
      "' OR 1=1"
    ]) {
      for (const field of ['id', 'owner']) {
        assert.equal(await things.count({ [field]: wrong }), 0, `${field} ${wrong}`)
        assert.equal(await things.count({ [field]: { $in: [wrong, id] } }), 1)
        assert.equal(await things.count({ [field]: { $ne: wrong } }), 1)
        assert.equal(await things.count({ [field]: { $nin: [wrong] } }), 1)
        assert.equal(await things.count({ [field]: { $gt: wrong } }), 0)
        assert.equal(await things.deleteOne({ [field]: wrong }), false)
      }
    }
    assert.equal(await things.count({ id: { $ne: id } }), 0)
    assert.equal(await things.count({ id: { $gte: id } }), 1)
    assert.equal(await things.count({ id: { $null: true } }), 0)
    assert.equal(await things.count({ id: null }), 0)
  },
  'C2: a list has no bound': async (context) => {
    const things = await seed(context)
    const values = Array.from({ length: 70_000 }, (_, index) => index)
    assert.equal(await things.count({ count: values }), 5)
    assert.equal(await things.count({ count: { $nin: values } }), 0)
    assert.equal(await things.count({ numbers: values }), 2)
    assert.deepEqual(column(await things.find({ label: values.map(String).concat('b') }), 'count'), [2])
  }
}
