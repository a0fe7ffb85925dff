/** Changes the database decides: bounds, sums, and updates that race. */
import assert from 'node:assert/strict'
import { atOnce } from 'svc-stores/conformance'
import type { Changes } from '../criteria/changes.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { type Cases, column, refused } from './conformance-suite.ts'

const EARLY = new Date('2024-01-01T00:00:00Z')
const LATE = new Date('2025-01-01T00:00:00Z')

const BOUNDS: readonly (readonly [before: unknown, changes: Changes<AnyRow>, field: string, after: unknown])[] = [
  [5, { $max: { total: 7 } }, 'total', 7],
  [5, { $max: { total: 3 } }, 'total', 5],
  [5, { $min: { total: 3 } }, 'total', 3],
  [5, { $min: { total: 7 } }, 'total', 5],
  [null, { $max: { total: -3 } }, 'total', -3],
  [null, { $min: { total: 3 } }, 'total', 3],
  [0.5, { $max: { ratio: 0.75 } }, 'ratio', 0.75],
  [EARLY, { $max: { at: LATE } }, 'at', LATE],
  [LATE, { $max: { at: EARLY } }, 'at', LATE],
  [LATE, { $min: { at: '2024-01-01T00:00:00Z' } }, 'at', EARLY],
  [null, { $max: { at: EARLY } }, 'at', EARLY]
]

const REFUSED: readonly unknown[] = [
  { $inc: { count: 1 } },
  { $set: { count: 1 } },
  { $where: 'x' },
  { $max: 5 },
  { $max: null },
  { $max: [1] },
  { $max: { count: '5' } },
  { $max: { count: null } },
  { $max: { label: 'z' } },
  { $max: { tags: ['z'] } },
  { $min: { open: true } },
  { $min: { count: Number.NaN } },
  { count: 1, $max: { count: 2 } },
  { $max: { count: 1 }, $min: { count: 2 } }
]

export const changeCases: Cases = {
  '$max and $min keep the greater and the lesser; null takes what is given': async ({ things }) => {
    for (const [before, changes, field, after] of BOUNDS) {
      const { id } = await things.create({ [field]: before })
      assert.deepEqual((await things.updateOne({ id }, changes))?.[field], after, JSON.stringify([before, changes]))
      assert.equal(await things.updateMany({ id }, changes), 1)
      assert.deepEqual((await things.findOne({ id }))?.[field], after)
    }
  },
  'bounds and plain values go together, on different fields': async ({ things }) => {
    const { id } = await things.create({ count: 5, total: 5 })
    const row = await things.updateOne({ id }, { label: 'x', $max: { count: 9, nope: 1 }, $min: { total: 1 } })
    assert.deepEqual([row?.label, row?.count, row?.total], ['x', 9, 1])
  },
  'other write operators, and bounds on what has no order, are refused': async ({ things }) => {
    const { id } = await things.create({ count: 5 })
    for (const changes of REFUSED) {
      await refused(() => things.updateOne({ id }, changes as never), 'SVC_ORM_VALUE', 400)
      await refused(() => things.updateMany({ id }, changes as never), 'SVC_ORM_VALUE', 400)
    }
    assert.equal((await things.findOne({ id }))?.count, 5)
  },
  'increment adds to integers and floats, null counts as 0': async ({ things }) => {
    const { id } = await things.create({ ratio: 0.5 })
    assert.equal((await things.increment({ id }, 'count'))?.count, 1)
    assert.equal((await things.increment({ id }, 'count', -3))?.count, -2)
    assert.equal((await things.increment({ id }, 'total', 4))?.total, 4)
    assert.equal((await things.increment({ id }, 'ratio', 0.25))?.ratio, 0.75)
    assert.equal(await things.increment({ label: 'nobody' }, 'count'), null)
    for (const [field, delta] of [
      ['label', 1],
      ['at', 1],
      ['numbers', 1],
      ['id', 1],
      ['nope', 1],
      ['count', 1.5],
      ['count', Number.NaN],
      ['ratio', Number.POSITIVE_INFINITY],
      ['count', '1'],
      ['count', null]
    ] as const) {
      await refused(() => things.increment({ id }, field, delta as never), 'SVC_ORM_VALUE', 400)
    }
  },
  'a hundred increments at once all count, and each answers a number of its own': async ({ things }) => {
    const { id } = await things.create({})
    const rows = await atOnce(100, () => things.increment({ id }, 'count'))
    assert.equal((await things.findOne({ id }))?.count, 100)
    const counts = rows.map((row) => row?.count as unknown)
    assert.equal(new Set(counts).size, 100)
  },
  'of fifty compare-and-set updates at once one wins': async ({ things }) => {
    const { id } = await things.create({ label: 'free' })
    const rows = await atOnce(50, (count) => things.updateOne({ id, label: 'free' }, { label: 'taken', count }))
    const winners = rows.filter((row) => row !== null)
    assert.equal(winners.length, 1)
    assert.equal((await things.findOne({ id }))?.count, winners[0]?.count)
  },
  'fifty updates of different fields, and fifty $max, all hold': async ({ things }) => {
    const { id } = await things.create({})
    await Promise.all([
      things.updateOne({ id }, { label: 'x' }),
      things.updateOne({ id }, { open: true }),
      ...Array.from({ length: 50 }, (_, index) => things.updateOne({ id }, { $max: { total: (index * 7) % 50 } }))
    ])
    const row = await things.findOne({ id })
    assert.deepEqual([row?.label, row?.open, row?.total], ['x', true, 49])
  },
  'a queue: workers that take the first row at once each get their own': async ({ things }) => {
    await things.createMany(Array.from({ length: 20 }, (_, count) => ({ label: 'waiting', count })))
    const taken = await atOnce(30, () => things.findOneAndDelete({ label: 'waiting' }))
    const rows = taken.filter((row) => row !== null)
    assert.equal(rows.length, 20)
    assert.equal(new Set(column(rows, 'id')).size, 20)
    assert.equal(await things.count(), 0)
  }
}
