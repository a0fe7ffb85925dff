/** Criteria and orders within JSON, by paths of keys and positions. */
import assert from 'node:assert/strict'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

/** By `label`. */
const DATA: readonly (readonly [label: string, data: unknown])[] = [
  ['a', { watts: 50, name: 'lamp', on: true, size: { high: 1.5 }, list: [1, { deep: 'x' }] }],
  ['b', { watts: 60.25, name: 'Lamp', on: false, size: { high: 2 }, list: [2] }],
  ['c', { watts: '60', name: 7, on: 'true', size: [3], list: [] }],
  ['d', { watts: null, name: 'é', size: null }],
  ['e', { watts: [60], name: { first: 'x' } }],
  ['f', {}],
  ['g', [{ watts: 60 }]],
  ['h', 60],
  ['i', null]
]

async function seed({ things }: CaseContext) {
  for (const [label, data] of DATA) await things.create({ label, data })
  return things
}

const CASES: readonly (readonly [criteria: Readonly<Record<string, unknown>>, labels: string])[] = [
  [{ 'data.watts': 50 }, 'a'],
  [{ 'data.watts': { $gt: 50 } }, 'b'],
  [{ 'data.watts': { $gte: 50, $lt: 60.25 } }, 'a'],
  [{ 'data.watts': '60' }, 'c'],
  [{ 'data.watts': { $gt: '5' } }, 'c'],
  [{ 'data.watts': { $lt: 'x' } }, 'c'],
  [{ 'data.watts': [50, '60', null] }, 'acdfghi'],
  [{ 'data.watts': [] }, ''],
  [{ 'data.watts': { $nin: [50, '60', null] } }, 'be'],
  [{ 'data.watts': { $nin: [] } }, 'abcdefghi'],
  [{ 'data.watts': { $ne: 50 } }, 'bcdefghi'],
  [{ 'data.watts': null }, 'dfghi'],
  [{ 'data.watts': { $null: true } }, 'dfghi'],
  [{ 'data.watts': { $null: false } }, 'abce'],
  [{ 'data.watts': { $ne: null } }, 'abce'],
  [{ 'data.watts': { $exists: true } }, 'abcde'],
  [{ 'data.watts': { $exists: false } }, 'fghi'],
  [{ $not: { 'data.watts': { $gt: 50 } } }, 'acdefghi'],
  [{ $or: [{ 'data.watts': 50 }, { 'data.on': false }] }, 'ab'],
  [{ 'data.name': 'lamp' }, 'a'],
  [{ 'data.name': { $lt: 'a' } }, 'b'],
  [{ 'data.name': { $gt: 'lamp' } }, 'd'],
  [{ 'data.name': 7 }, 'c'],
  [{ 'data.on': true }, 'a'],
  [{ 'data.on': 'true' }, 'c'],
  [{ 'data.on': { $ne: true } }, 'bcdefghi'],
  [{ 'data.size.high': { $lte: 2 } }, 'ab'],
  [{ 'data.size.high': { $exists: true } }, 'ab'],
  [{ 'data.size.0': 3 }, 'c'],
  [{ 'data.list.0': { $gte: 1 } }, 'ab'],
  [{ 'data.list.1.deep': 'x' }, 'a'],
  // A list is entered by position alone, and is no value by itself.
  [{ 'data.list.deep': 'x' }, ''],
  [{ 'data.list': 1 }, ''],
  [{ 'data.list': { $exists: true } }, 'abc'],
  [{ 'data.list.length': { $exists: true } }, ''],
  [{ 'data.0.watts': 60 }, 'g'],
  [{ 'data.9': { $exists: true } }, ''],
  [{ 'data.nope.further': { $exists: true } }, ''],
  [{ 'data.__proto__': { $exists: true } }, ''],
  [{ 'data.constructor.name': { $exists: true } }, '']
]

/** Keys that some database or language reads in its own way. */
const KEYS = [
  '"',
  "'",
  '`',
  ' ',
  'a b',
  '-',
  '--',
  '%',
  '*',
  '@',
  '[0]',
  '#-1',
  'é',
  '\u{1f600}',
  'toString',
  "'); drop table thing; --"
]

export const pathCases: Cases = {
  'numbers, texts and booleans within JSON, each compared with its own kind': async (context) => {
    const things = await seed(context)
    for (const [criteria, labels] of CASES) {
      const shown = JSON.stringify(criteria)
      assert.equal(column(await things.find(criteria, { order: [['label', 'ASC']] }), 'label').join(''), labels, shown)
      assert.equal(await things.count(criteria), labels.length, shown)
    }
    assert.equal(await things.updateMany({ 'data.watts': { $gt: 50 } }, { count: 5 }), 1)
    assert.equal(await things.delete({ 'data.name': { $exists: true } }), 5)
  },
  'numbers are compared as they were written': async ({ things }) => {
    for (const value of [0.1, 0.30000000000000004, 1e300, -1e-7, Number.MAX_SAFE_INTEGER, 0]) {
      const { id } = await things.create({ data: { value } })
      const found = await things.find({ 'data.value': value })
      assert.deepEqual(column(found, 'id'), [id], String(value))
      assert.equal(await things.count({ id, 'data.value': { $gt: value } }), 0, String(value))
      assert.equal(await things.count({ id, 'data.value': { $lt: value + Math.abs(value) + 1 } }), 1, String(value))
    }
  },
  'a key of any characters, and no other': async ({ things }) => {
    for (const key of KEYS) {
      const { id } = await things.create({ data: { [key]: key } })
      assert.deepEqual(column(await things.find({ [`data.${key}`]: key }), 'id'), [id], JSON.stringify(key))
      assert.equal(await things.count({ [`data.${key}`]: { $exists: true } }), 1, JSON.stringify(key))
    }
    assert.equal(await things.count(), KEYS.length)
  },
  'rows come by what JSON holds: numbers, texts, booleans, and first what is none of them': async (context) => {
    const things = context.things
    const held = [null, 10, 9.5, 'b', 'a', 'B', true, false, 'é', '\u{1f600}', '\uffff', 1e300, -1]
    for (const [place, value] of held.entries())
      await things.create({ label: String.fromCharCode(97 + place), data: { value } })
    await things.create({ label: 'z' })
    const labels = async (direction: 'ASC' | 'DESC', more: object = {}) => {
      const order = [
        ['data.value', direction],
        ['label', 'ASC']
      ]
      return column(await things.find({}, { order, ...more } as never), 'label').join('')
    }
    assert.equal(await labels('ASC'), 'azmcblfedikjhg')
    assert.equal(await labels('DESC'), 'ghjkideflbcmaz')
    assert.equal(await labels('ASC', { offset: 2, limit: 3 }), 'mcb')
  },
  'what is no path is refused by name': async ({ things }) => {
    for (const path of [
      'data.',
      'data..x',
      'data.x.',
      'data.\0',
      'data.\ud800',
      'data.-1',
      'data.01',
      'data.+1',
      'data. 1'
    ]) {
      await refused(() => things.find({ [path]: 1 }), 'SVC_ORM_CRITERIA', 400)
      await refused(() => things.find({}, { order: [[path, 'ASC']] }), 'SVC_ORM_CRITERIA', 400)
    }
    for (const path of ['data.a\\', 'data.a\\b', `data.${'x.'.repeat(20)}x`]) {
      await refused(() => things.find({ [path]: 1 }), 'SVC_ORM_CRITERIA', 400)
    }
    for (const given of [
      undefined,
      {},
      { $like: 'x' },
      { $gt: true },
      { $gt: null },
      { $exists: 1 },
      Number.NaN,
      [[1]],
      { $eq: {} }
    ]) {
      await refused(() => things.find({ 'data.x': given }), 'SVC_ORM_CRITERIA', 400)
    }
    for (const path of ['label.x', 'tags.0', 'nope.x', 'photo.x']) {
      await refused(() => things.find({ [path]: 1 }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    }
    await refused(() => things.page({}, { order: [['data.x', 'ASC']] }), 'SVC_ORM_OPTIONS', 400)
  }
}
