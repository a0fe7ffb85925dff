/** What is said of rows together, and the distinct values of a field. */
import assert from 'node:assert/strict'
import type { Repository } from '../repository/repository.ts'
import { type CaseContext, type Cases, refused } from './conformance-suite.ts'

const DAY = (day: number) => new Date(Date.UTC(2024, 0, day))

async function seed({ things }: CaseContext): Promise<Repository> {
  await things.createMany([
    { label: 'b', count: 1, total: 10, ratio: 0.5, open: true, at: DAY(3) },
    { label: 'b', count: 2, total: 20, ratio: 1.5, open: false, at: DAY(1) },
    { label: 'B', count: 3, total: -5, open: true },
    { label: null, count: 4 },
    { count: 5, at: DAY(2), open: true }
  ])
  return things
}

/** Prototypes and the order of keys are the driver's. */
const plain = (groups: readonly object[]) => groups.map((group) => ({ ...group }))

const ALL = {
  rows: { count: true },
  sum: { sum: 'total' },
  avg: { avg: 'total' },
  least: { min: 'at' },
  most: { max: 'at' },
  first: { min: 'label' },
  last: { max: 'label' }
} as const

export const groupingCases: Cases = {
  'number, sum, average, least and greatest; null is passed over': async (context) => {
    const things = await seed(context)
    const found = await things.aggregate({}, ALL)
    const expected = { rows: 5, sum: 25, avg: 25 / 3, least: DAY(1), most: DAY(3), first: 'B', last: 'b' }
    assert.deepEqual({ ...(found as object) }, expected)
    const some = await things.aggregate({ count: { $gt: 3 } }, { rows: { count: true }, ratio: { sum: 'ratio' } })
    assert.deepEqual({ ...(some as object) }, { rows: 2, ratio: null })
    const none = await things.aggregate({ label: 'nobody' }, ALL)
    const nothing = { rows: 0, sum: null, avg: null, least: null, most: null, first: null, last: null }
    assert.deepEqual({ ...(none as object) }, nothing)
  },
  'a sum of numbers at the end of what is exact': async ({ things }) => {
    await things.createMany([{ total: Number.MAX_SAFE_INTEGER - 1 }, { total: 1 }, { total: null }])
    const sum: Record<string, unknown> = await things.aggregate({}, { sum: { sum: 'total' } })
    assert.equal(sum.sum, Number.MAX_SAFE_INTEGER)
  },
  'in groups, by the fields that they share, null among them': async (context) => {
    const things = await seed(context)
    const measures = { rows: { count: true }, sum: { sum: 'count' } } as const
    assert.deepEqual(plain(await things.groupBy({}, { by: ['label'], measures })), [
      { label: null, rows: 2, sum: 9 },
      { label: 'B', rows: 1, sum: 3 },
      { label: 'b', rows: 2, sum: 3 }
    ])
    assert.deepEqual(plain(await things.groupBy({ open: true }, { by: ['open', 'label'] })), [
      { open: true, label: null },
      { open: true, label: 'B' },
      { open: true, label: 'b' }
    ])
    assert.deepEqual(plain(await things.groupBy({ label: 'nobody' }, { by: ['label'], measures })), [])
    const days = await things.groupBy({ at: { $ne: null } }, { by: ['at'], measures: { rows: { count: true } } })
    assert.deepEqual(
      plain(days),
      [DAY(1), DAY(2), DAY(3)].map((at) => ({ at, rows: 1 }))
    )
  },
  'groups in an order of their own, and the first of them': async (context) => {
    const things = await seed(context)
    const measures = { sum: { sum: 'total' }, rows: { count: true } } as const
    const names = async (order: readonly (readonly [string, 'ASC' | 'DESC'])[], limit?: number) => {
      const options = { by: ['label'], measures, order, ...(limit === undefined ? {} : { limit }) }
      return (await things.groupBy({}, options as never)).map(({ label }: { label?: unknown }) => label)
    }
    assert.deepEqual(await names([['sum', 'DESC']]), ['b', 'B', null])
    assert.deepEqual(await names([['sum', 'ASC']]), [null, 'B', 'b'])
    assert.deepEqual(await names([['rows', 'DESC']]), [null, 'b', 'B'], 'what is level by the fields of the group')
    assert.deepEqual(
      await names(
        [
          ['rows', 'DESC'],
          ['label', 'DESC']
        ],
        2
      ),
      ['b', null]
    )
    assert.deepEqual(await names([['label', 'DESC']], 1), ['b'])
  },
  'the values of a field, each once': async (context) => {
    const things = await seed(context)
    assert.deepEqual(await things.distinct('label'), [null, 'B', 'b'])
    assert.deepEqual(await things.distinct('open', { open: { $ne: null } }), [false, true])
    assert.deepEqual(await things.distinct('at', { count: [1, 2] }), [DAY(1), DAY(3)])
  },
  'M12: values beyond what a double holds: each once, least and greatest, and by groups': async ({ things }) => {
    const values = ['-9223372036854775808', '-9007199254740993', '7', '9007199254740993', '9007199254740995']
    await things.createMany([...values, ...values, null].map((big, index) => ({ big, count: index })))
    assert.deepEqual(await things.distinct('big'), [null, ...values])
    const ends = await things.aggregate({}, { least: { min: 'big' }, most: { max: 'big' }, rows: { count: true } })
    assert.deepEqual({ ...(ends as object) }, { least: values[0], most: values[4], rows: 11 })
    const measures = { rows: { count: true }, sum: { sum: 'big' } } as const
    assert.deepEqual(plain(await things.groupBy({ big: { $gt: 0 } }, { by: ['big'], measures })), [
      { big: '7', rows: 2, sum: '14' },
      { big: '9007199254740993', rows: 2, sum: '18014398509481986' },
      { big: '9007199254740995', rows: 2, sum: '18014398509481990' }
    ])
  },
  'by what belongs to the rows': async ({ authors, books }) => {
    const [ada, bob] = await authors.createMany([{ name: 'Ada' }, { name: 'Bob' }])
    await books.createMany([
      { title: 'one', authorId: ada?.id },
      { title: 'two', authorId: ada?.id },
      { title: 'three', authorId: bob?.id }
    ])
    const options = { by: ['authorId'], measures: { books: { count: true } } } as const
    assert.deepEqual(plain(await books.groupBy({ 'author.name': 'Ada' }, options)), [{ authorId: ada?.id, books: 2 }])
  },
  'what has no such measure is refused by name': async (context) => {
    const things = await seed(context)
    const aggregate = (measure: unknown) => () => things.aggregate({}, { x: measure } as never)
    for (const measure of [
      1,
      null,
      {},
      { sum: 'label' },
      { sum: 'tags' },
      { avg: 'at' },
      { min: 'open' },
      { max: 'data' }
    ]) {
      await refused(aggregate(measure), 'SVC_ORM_OPTIONS', 400)
    }
    for (const measure of [{ count: false }, { median: 'total' }, { sum: 'total', avg: 'total' }, { min: 'numbers' }]) {
      await refused(aggregate(measure), 'SVC_ORM_OPTIONS', 400)
    }
    await refused(aggregate({ sum: 'nope' }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    const count = { count: true }
    const groupings = [
      undefined,
      { by: ['label'], measures: 5 },
      { by: ['label'], order: 'label' },
      {
        by: ['label'],
        order: [
          ['label', 'ASC'],
          ['label', 'DESC']
        ]
      },
      { by: 'label' },
      { by: ['tags'] },
      { by: ['data'] },
      { by: ['label'], measures: { label: count } },
      { by: ['label'], measures: { 'x"; drop table thing; --': count } },
      { by: ['label'], order: [['count', 'ASC']] },
      { by: ['label'], order: [['label', 'UP']] },
      { by: ['label'], limit: 0 },
      { by: ['label'], having: {} }
    ]
    for (const options of groupings) {
      await refused(() => things.groupBy({}, options as never), 'SVC_ORM_OPTIONS', 400)
    }
    await refused(() => things.groupBy({}, { by: ['nope'] } as never), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(() => things.distinct('tags'), 'SVC_ORM_OPTIONS', 400)
    await refused(() => things.distinct('nope'), 'SVC_ORM_UNKNOWN_FIELD', 400)
  }
}
