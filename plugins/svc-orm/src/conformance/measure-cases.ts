/** Measures of some rows, of different values, and criteria of groups. */
import assert from 'node:assert/strict'
import type { Repository } from '../repository/repository.ts'
import { type CaseContext, type Cases, refused } from './conformance-suite.ts'

const AT = (day: number) => new Date(Date.UTC(2026, 0, day))

async function seed({ things }: Pick<CaseContext, 'things'>): Promise<Repository> {
  await things.createMany([
    { label: 'a', body: 'x', count: 1, total: 10, amount: '1.25', ratio: 0.5, open: true, at: AT(1), big: '7' },
    { label: 'a', body: 'x', count: 2, total: 20, amount: '2.25', ratio: 0.5, open: false, at: AT(1), big: '7' },
    { label: 'a', body: 'y', count: 3, total: null, amount: null, open: true, at: AT(2), big: '9007199254740993' },
    { label: 'b', body: null, count: 4, total: 5, amount: '100.00', ratio: 1.5, open: null, at: AT(3) },
    { label: null, body: 'z', count: 5, total: -5, amount: '-0.50', open: false, at: null }
  ])
  return things
}

const plain = (groups: readonly object[]) => groups.map((group) => ({ ...group }))

const COUNT = { rows: { count: true } } as const

const HAVING: readonly (readonly [having: object, labels: readonly (string | null)[]])[] = [
  [{ rows: 3 }, ['a']],
  [{ rows: { $gte: 1, $lt: 3 } }, [null, 'b']],
  [{ rows: { $in: [1, 2] } }, [null, 'b']],
  [{ rows: [3, 4] }, ['a']],
  [{ sum: { $gt: '3.50' } }, ['b']],
  [{ sum: { $gte: '3.5' } }, ['a', 'b']],
  [{ sum: { $lt: 0 } }, [null]],
  [{ mean: 1.75 }, ['a']],
  [{ mean: { $gt: '1.75' } }, ['b']],
  [{ total: { $gt: 5 } }, ['a']],
  [{ total: { $ne: 30 } }, [null, 'b']],
  [{ first: { $lt: '2026-01-03T00:00:00Z' } }, ['a']],
  [{ first: null }, [null]],
  [{ first: { $null: false } }, ['a', 'b']],
  [{ ratio: null }, [null]],
  [{ big: { $gt: '9007199254740993' } }, ['a']],
  [{ bodies: { $gt: 1 } }, ['a']],
  [{ opened: { $gte: 1 } }, ['a']],
  [{ opened: 0 }, [null, 'b']],
  [{ label: 'a' }, ['a']],
  [{ label: { $in: ['b', null] } }, [null, 'b']],
  [{ label: { $ne: 'b' } }, [null, 'a']],
  [{ $or: [{ rows: 3 }, { sum: { $gt: 50 } }] }, ['a', 'b']],
  [{ $and: [{ rows: 1 }, { sum: { $gt: 50 } }] }, ['b']],
  [{ $not: { rows: 1 } }, ['a']],
  [{ $not: { ratio: { $gt: 1 } } }, [null, 'a']],
  [{ rows: 1, $or: [{ label: null }, { $not: { label: null } }] }, [null, 'b']],
  [{ rows: { $gt: 9 } }, []]
]

const MEASURES = {
  ...COUNT,
  sum: { sum: 'amount' },
  mean: { avg: 'amount' },
  total: { sum: 'total' },
  ratio: { sum: 'ratio' },
  first: { min: 'at' },
  big: { sum: 'big' },
  bodies: { countDistinct: 'body' },
  opened: { count: true, where: { open: true } }
} as const

export const measureCases: Cases = {
  'values are counted, and different values; null is passed over': async (context) => {
    const things = await seed(context)
    const measures = {
      ...COUNT,
      held: { count: 'total' },
      bodies: { countDistinct: 'body' },
      days: { countDistinct: 'at' },
      amounts: { countDistinct: 'amount' },
      opens: { countDistinct: 'open' },
      bigs: { countDistinct: 'big' }
    } as const
    const all = { rows: 5, held: 4, bodies: 3, days: 3, amounts: 4, opens: 2, bigs: 2 }
    assert.deepEqual({ ...(await things.aggregate({}, measures)) }, all)
    const none = { rows: 0, held: 0, bodies: 0, days: 0, amounts: 0, opens: 0, bigs: 0 }
    assert.deepEqual({ ...(await things.aggregate({ label: 'nobody' }, measures)) }, none)
    assert.deepEqual(plain(await things.groupBy({}, { by: ['label'], measures })), [
      { label: null, rows: 1, held: 1, bodies: 1, days: 0, amounts: 1, opens: 1, bigs: 0 },
      { label: 'a', rows: 3, held: 2, bodies: 2, days: 2, amounts: 2, opens: 2, bigs: 2 },
      { label: 'b', rows: 1, held: 1, bodies: 0, days: 1, amounts: 1, opens: 0, bigs: 0 }
    ])
    const byDay = { by: [{ day: 'at' }], measures: { bodies: { countDistinct: 'body' } } } as const
    assert.deepEqual(plain(await things.groupBy({ label: 'a' }, byDay)), [
      { day: '2026-01-01', bodies: 1 },
      { day: '2026-01-02', bodies: 1 }
    ])
  },
  'measures of some rows of a group': async (context) => {
    const things = await seed(context)
    const measures = {
      ...COUNT,
      sum: { sum: 'amount' },
      opened: { count: true, where: { open: true } },
      paid: { sum: 'amount', where: { open: { $ne: true }, count: { $gt: 1 } } },
      most: { max: 'at', where: { $or: [{ body: 'x' }, { body: 'z' }] } },
      mean: { avg: 'total', where: { open: false } },
      bodies: { countDistinct: 'body', where: { open: true } },
      held: { count: 'total', where: { open: true } },
      big: { max: 'big', where: { open: true } }
    } as const
    const groups = plain(await things.groupBy({}, { by: ['label'], measures, order: [['paid', 'DESC']] }))
    const nothing = { opened: 0, bodies: 0, held: 0, big: null }
    assert.deepEqual(groups, [
      { ...nothing, label: 'b', rows: 1, sum: '100.00', paid: '100.00', most: null, mean: null },
      {
        ...{ label: 'a', rows: 3, sum: '3.50', opened: 2, paid: '2.25', most: AT(1), mean: 20 },
        ...{ bodies: 2, held: 1, big: '9007199254740993' }
      },
      { ...nothing, label: null, rows: 1, sum: '-0.50', paid: '-0.50', most: null, mean: -5 }
    ])
    const [first] = await things.groupBy({}, { by: ['label'], measures, order: [['opened', 'DESC']], limit: 1 })
    assert.equal(first?.label, 'a')
    const one = await things.aggregate({ label: 'a' }, { opened: { count: true, where: { open: true } } })
    assert.deepEqual({ ...one }, { opened: 2 })
    const none = await things.aggregate({ label: 'nobody' }, { x: { sum: 'amount', where: { open: true } } })
    assert.deepEqual({ ...none }, { x: null })
  },
  'measures of rows whose related rows meet criteria': async ({ authors, books }) => {
    const [ada, bob] = await authors.createMany([{ name: 'Ada' }, { name: 'Bob' }])
    await books.createMany([
      { title: 'one', authorId: ada?.id },
      { title: 'two', authorId: ada?.id },
      { title: 'three', authorId: bob?.id },
      { title: 'four' }
    ])
    const measures = { ...COUNT, ada: { count: true, where: { 'author.name': 'Ada' } } } as const
    assert.deepEqual({ ...(await books.aggregate({}, measures)) }, { rows: 4, ada: 2 })
  },
  'groups that meet criteria, by what they share and by their measures': async (context) => {
    const things = await seed(context)
    for (const [having, labels] of HAVING) {
      const groups = await things.groupBy({}, { by: ['label'], measures: MEASURES, having } as never)
      const found = groups.map((group) => (group as { label?: unknown }).label)
      assert.deepEqual(found, labels, JSON.stringify(having))
      // Without the measures that are of some rows.
      const { bodies: _b, opened: _o, ...measures } = MEASURES
      if (/bodies|opened/.test(JSON.stringify(having))) continue
      const plainly = await things.groupBy({}, { by: ['label'], measures, having } as never)
      assert.deepEqual(
        plainly.map((group) => (group as { label?: unknown }).label),
        labels,
        JSON.stringify(having)
      )
    }
    const having = { rows: { $gte: 1 }, sum: { $gt: 0 } }
    const options = { by: ['label'], measures: MEASURES, having, order: [['sum', 'DESC']], limit: 1 }
    const [only, ...more] = await things.groupBy({}, options as never)
    assert.deepEqual([(only as { label?: unknown }).label, more.length], ['b', 0])
  },
  'by a part of a moment, and of all rows': async (context) => {
    const things = await seed(context)
    const month = { month: 'at', zone: 'America/New_York' } as const
    const options = { by: [month], measures: COUNT, having: { month: { $gte: '2026-01' } } } as const
    assert.deepEqual(plain(await things.groupBy({}, options as never)), [{ month: '2026-01', rows: 2 }])
    const all = { by: [], measures: COUNT }
    assert.deepEqual(plain(await things.groupBy({}, { ...all, having: { rows: 5 } } as never)), [{ rows: 5 }])
    assert.deepEqual(plain(await things.groupBy({}, { ...all, having: { rows: 6 } } as never)), [])
    assert.deepEqual(plain(await things.groupBy({ label: 'nobody' }, { ...all, having: { rows: 0 } } as never)), [
      { rows: 0 }
    ])
    assert.deepEqual(plain(await things.groupBy({ label: 'nobody' }, { ...all, having: { rows: 1 } } as never)), [])
  },
  'what is no measure of some rows, and no criterion of groups, is refused by name': async (context) => {
    const things = await seed(context)
    for (const measure of [{ countDistinct: 'data' }, { countDistinct: 'tags' }, { count: 5 }, { where: {} }]) {
      await refused(() => things.aggregate({}, { x: measure } as never), 'SVC_ORM_OPTIONS', 400)
    }
    await refused(() => things.aggregate({}, { x: { count: 'nope' } } as never), 'SVC_ORM_UNKNOWN_FIELD', 400)
    const where = (given: unknown) => () => things.aggregate({}, { x: { count: true, where: given } } as never)
    await refused(where({ nope: 1 }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(where(5), 'SVC_ORM_CRITERIA', 400)
    await refused(where({ count: { $gt: 'x' } }), 'SVC_ORM_CRITERIA', 400)
    const having = (given: unknown) => () =>
      things.groupBy({}, { by: ['label'], measures: MEASURES, having: given } as never)
    for (const given of [{ nope: 1 }, { count: 1 }, { id: 'x' }, { $or: [{ total: 1 }, { amount: 1 }] }]) {
      await refused(having(given), 'SVC_ORM_UNKNOWN_FIELD', 400)
    }
    for (const given of [5, { rows: 'x' }, { sum: { $gt: 'x' } }, { rows: { $median: 1 } }, { $or: [{}] }]) {
      await refused(having(given), 'SVC_ORM_CRITERIA', 400)
    }
    await refused(having({}), 'SVC_ORM_OPTIONS', 400)
  }
}
