/** Criteria on what the rows of a relation come to, and on the first of them. */
import assert from 'node:assert/strict'
import type { Repository } from '../repository/repository.ts'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

interface Paid {
  readonly invoices: Repository
  readonly payments: Repository
}

/** Of invoice `b` nothing is paid, of `c` nothing is known; a payment belongs to none. */
async function seed({ repository }: CaseContext): Promise<Paid> {
  const [invoices, payments] = [repository('Invoice'), repository('Payment')]
  const [a, , c, d] = await invoices.createMany([
    { number: 'a', total: '30.00', parts: 2 },
    { number: 'b', total: '0.00', parts: 0 },
    { number: 'c', total: null, parts: null },
    { number: 'd', total: '15.00', parts: 9 }
  ])
  const of = (invoice: typeof a, amount: string | null, weight: number | null, day: number, state = 'done') => ({
    ...{ invoiceId: invoice?.id ?? null, amount, weight, state },
    ...{ rate: weight === null ? null : weight / 4, at: new Date(day) }
  })
  await payments.createMany([
    of(a, '10.50', 1, 1),
    of(a, '9.50', 4, 2, 'open'),
    of(c, null, null, 1, 'open'),
    of(d, '7.00', 3, 1, 'open'),
    of(d, '8.00', 5, 2),
    of(d, '0.00', 1, 3),
    of(undefined, '99.00', 99, 9)
  ])
  return { invoices, payments }
}

const MEASURES: readonly (readonly [payments: Readonly<Record<string, unknown>>, numbers: string])[] = [
  [{ $count: 0 }, 'b'],
  [{ $count: 2 }, 'a'],
  [{ $count: { $gte: 2 } }, 'ad'],
  [{ $count: { $lt: 2 } }, 'bc'],
  [{ $count: { $ne: 0 } }, 'acd'],
  [{ $count: { $gt: 0, $lt: 3 } }, 'ac'],
  [{ $count: { $field: { $eq: 'parts' } } }, 'ab'],
  [{ $count: { $field: { $lt: 'parts' } } }, 'd'],
  [{ $count: { $field: { $ne: 'parts' } } }, 'cd'],
  [{ $count: { $gte: 1 }, state: 'open' }, 'acd'],
  [{ $count: 0, state: 'done' }, 'bc'],
  [{ $count: { $gte: 2 }, amount: { $gt: '5' } }, 'ad'],
  // The sum of none is 0, and so is that of nothing known.
  [{ $sum: { amount: '20.00' } }, 'a'],
  [{ $sum: { amount: 0 } }, 'bc'],
  [{ $sum: { amount: { $lt: '20' } } }, 'bcd'],
  [{ $sum: { amount: { $gte: '15', $lte: '20' } } }, 'ad'],
  [{ $sum: { amount: { $field: { $lt: 'total' } } } }, 'a'],
  [{ $sum: { amount: { $field: { $eq: 'total' } } } }, 'bd'],
  [{ $sum: { amount: { $field: { $ne: 'total' } } } }, 'ac'],
  [{ $sum: { amount: { $field: { $gte: 'total' } } } }, 'bd'],
  [{ $sum: { amount: { $gt: '9' } }, state: 'done' }, 'a'],
  [{ $sum: { weight: { $gte: 5 } } }, 'ad'],
  [{ $sum: { weight: { $field: { $eq: 'parts' } } } }, 'bd'],
  [{ $sum: { weight: 5, amount: { $gt: 1 } } }, 'a'],
  [{ $sum: { rate: 1.25 } }, 'a'],
  // Of none, every other measure is null, which is less than nothing.
  [{ $avg: { weight: 2.5 } }, 'a'],
  [{ $avg: { weight: { $gt: 2.5 } } }, 'd'],
  [{ $avg: { weight: { $ne: 2.5 } } }, 'bcd'],
  [{ $avg: { amount: '10.00' } }, 'a'],
  [{ $avg: { amount: { $field: { $lt: 'total' } } } }, 'ad'],
  [{ $avg: { weight: { $null: true } } }, 'bc'],
  [{ $min: { amount: '9.50' } }, 'a'],
  [{ $min: { amount: { $null: true } } }, 'bc'],
  [{ $min: { amount: { $null: false } } }, 'ad'],
  [{ $min: { at: { $lte: new Date(1) } } }, 'acd'],
  [{ $max: { at: { $gt: new Date(2) } } }, 'd'],
  [{ $max: { at: { $gt: new Date(2) } }, state: 'open' }, ''],
  [{ $max: { state: 'open' } }, 'acd'],
  [{ $max: { amount: { $field: { $lt: 'total' } } } }, 'ad'],
  [{ $sum: { amount: { $null: true } } }, ''],
  [{ $count: { $null: false } }, 'abcd']
]

const newest = (limit: number) => ({ order: [['at', 'DESC']], limit })

const LATEST: readonly (readonly [payments: Readonly<Record<string, unknown>>, numbers: string])[] = [
  [{ $latest: newest(1), state: 'open' }, 'ac'],
  [{ $latest: newest(2), state: 'open' }, 'ac'],
  [{ $latest: newest(3), state: 'open' }, 'acd'],
  [{ $latest: { order: [['at', 'ASC']], limit: 1 }, state: 'open' }, 'cd'],
  [{ $latest: newest(1) }, 'acd'],
  [{ $latest: newest(1), state: 'open', $exists: false }, 'bd'],
  [{ $latest: newest(2), amount: { $lt: '8' } }, 'd'],
  [{ $latest: newest(2), invoice: { number: 'd' } }, 'd'],
  [{ $latest: newest(2), $sum: { amount: { $gte: '8' } } }, 'ad'],
  [{ $latest: newest(1), $sum: { amount: 0 } }, 'bcd'],
  [{ $latest: newest(2), $count: 1, state: 'done' }, 'a'],
  [{ $latest: newest(2), $max: { weight: 5 } }, 'd']
]

async function ask({ invoices }: Paid, criteria: Readonly<Record<string, unknown>>): Promise<string> {
  const found = column(await invoices.find(criteria, { order: [['number', 'ASC']] }), 'number').join('')
  assert.equal(await invoices.count(criteria), found.length, JSON.stringify(criteria))
  return found
}

const others = (numbers: string) => ['a', 'b', 'c', 'd'].filter((number) => !numbers.includes(number)).join('')

export const measuredCases: Cases = {
  'rows by the number, sum, average, least and greatest of those that refer to them': async (context) => {
    const paid = await seed(context)
    for (const [payments, numbers] of MEASURES) {
      const shown = JSON.stringify(payments)
      assert.equal(await ask(paid, { payments }), numbers, shown)
      assert.equal(await ask(paid, { $not: { payments } }), others(numbers), `not ${shown}`)
    }
    assert.equal(await ask(paid, { $or: [{ payments: { $count: 0 } }, { payments: { $sum: { weight: 9 } } }] }), 'bd')
    assert.equal(await ask(paid, { payments: { $count: 2 }, number: 'd' }), '')
    assert.equal(await paid.payments.count({ invoice: { payments: { $count: { $gt: 2 } } } }), 3)
    assert.equal(
      await paid.invoices.updateMany({ payments: { $sum: { amount: { $field: { $eq: 'total' } } } } }, { parts: 1 }),
      2
    )
    assert.equal(await paid.invoices.delete({ payments: { $count: 0 } }), 1)
  },
  'rows by the first of those that refer to them': async (context) => {
    const paid = await seed(context)
    for (const [payments, numbers] of LATEST) {
      const shown = JSON.stringify(payments)
      assert.equal(await ask(paid, { payments }), numbers, shown)
      assert.equal(await ask(paid, { $not: { payments } }), others(numbers), `not ${shown}`)
    }
  },
  'what is marked as deleted does not count': async ({ repository }) => {
    const folders = repository('Folder')
    const root = await folders.create({ path: '/' })
    await folders.createMany([
      { path: '/a', parentId: root.id, files: 2 },
      { path: '/b', parentId: root.id, files: 5 }
    ])
    await folders.delete({ path: '/b' })
    const two = { path: '/', folders: { $sum: { files: 2 } } }
    const last = { path: '/', folders: { $latest: { order: [['path', 'DESC']], limit: 1 }, path: '/b' } }
    assert.equal(await folders.count(two), 1)
    assert.equal(await folders.count(last as never), 0)
    assert.equal(await folders.withDeleted().count(two), 0)
    assert.equal(await folders.withDeleted().count(last as never), 1)
  },
  'what cannot be measured is refused by name': async (context) => {
    const { invoices, payments } = await seed(context)
    for (const given of [
      ...[{ $count: 1.5 }, { $count: '1' }, { $count: null }, { $count: {} }, { $count: { $in: [1] } }],
      ...[
        { $sum: 5 },
        { $sum: {} },
        { $sum: { state: 'x' } },
        { $sum: { weight: 'x' } },
        { $sum: { amount: '0.001' } }
      ],
      ...[{ $avg: { at: new Date(0) } }, { $min: { weight: null } }, { $count: 1, $exists: true }],
      ...[{ $sum: { amount: { $field: { $lt: 'parts' } } } }, { $count: { $field: { $lt: 'number' } } }],
      ...[{ $count: { $lt: { $field: 'parts' } } }, { $max: { at: { $field: { $lt: 'total' } } } }],
      ...[{ $latest: 1 }, { $latest: { limit: 1, where: {} } }, { $latest: newest(0) }, { $latest: newest(1001) }]
    ]) {
      await refused(() => invoices.find({ payments: given }), 'SVC_ORM_CRITERIA', 400)
    }
    await refused(() => invoices.find({ payments: { $latest: { limit: 1 } } }), 'SVC_ORM_OPTIONS', 400)
    for (const given of [{ $sum: { nope: 1 } }, { $count: { $field: { $lt: 'nope' } } }, { $median: { weight: 1 } }]) {
      await refused(() => invoices.find({ payments: given }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    }
    for (const invoice of [{ $count: 1 }, { $latest: newest(1) }]) {
      await refused(() => payments.find({ invoice }), 'SVC_ORM_CRITERIA', 400)
    }
  }
}
