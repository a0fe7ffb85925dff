/** Sums so far of a list, also where only a page of it is read. */
import assert from 'node:assert/strict'
import type { AnyRow } from '../entities/row-of.ts'
import type { Repository } from '../repository/repository.ts'
import { type CaseContext, type Cases, column, refused } from './conformance-suite.ts'

async function seed({ things }: CaseContext): Promise<Repository> {
  await things.createMany([
    { count: 2, label: 'x', amount: '0.20', total: 2 },
    { count: 1, label: 'x', amount: '90071992547409.90', total: 1 },
    { count: 3, label: 'y', amount: null, total: 3 },
    { count: 5, label: null, amount: '5.00' },
    { count: 4, label: 'x', amount: '-0.05', total: 4 },
    { count: 6, label: 'y', amount: '1.00', total: 6 }
  ])
  return things
}

/** What rows have of a total. */
const totals = (rows: readonly AnyRow[], name = 'all') => rows.map(({ running }) => running[name] as unknown)

const FIRST = [
  '90071992547409.90',
  '90071992547410.10',
  '90071992547410.10',
  '90071992547410.05',
  '90071992547415.05',
  '90071992547416.05'
]

const ALL = { all: { sum: 'amount' } } as const
const BY_LABEL = { own: { sum: 'total', by: ['label'] } } as const
const ASCENDING = [['count', 'ASC']] as const

export const runningCases: Cases = {
  'each row has the sum up to it, exact, in the order of the list': async (context) => {
    const things = await seed(context)
    const rows = await things.find({}, { order: ASCENDING, running: { ...ALL, ...BY_LABEL } })
    assert.deepEqual(totals(rows), FIRST)
    assert.deepEqual(totals(rows, 'own'), [1, 3, 3, 7, null, 9])
    const some = await things.find({ count: { $gt: 2 } }, { order: ASCENDING, running: ALL })
    assert.deepEqual(totals(some), [null, '-0.05', '4.95', '5.95'], 'of the rows that meet the criteria')
    const turned = await things.find(
      {},
      { order: [['count', 'DESC']], running: { all: { sum: 'amount', from: 'last' } } }
    )
    assert.deepEqual(totals(turned), FIRST.toReversed())
    const [row] = await things.find({}, { order: ASCENDING, running: ALL, select: ['label'], limit: 1 })
    assert.deepEqual(Object.keys(row ?? {}).sort(), ['id', 'label', 'running'])
    assert.deepEqual(await things.find({ label: 'nothing' }, { running: ALL }), [])
  },
  'rows before a page count as well': async (context) => {
    const things = await seed(context)
    const running = { ...ALL, ...BY_LABEL, last: { sum: 'amount', from: 'last' } } as const
    const whole = await things.find({}, { order: ASCENDING, running })
    const expected = whole.map((each) => each.running as unknown)
    for (const [offset, limit] of [
      [0, 2],
      [2, 2],
      [3, 3],
      [4, 9],
      [1, 1]
    ] as const) {
      const rows = await things.find({}, { order: ASCENDING, running, offset, limit })
      assert.deepEqual(column(rows, 'running'), expected.slice(offset, offset + limit))
    }
    const seen: unknown[] = []
    for (let next: string | null | undefined; next !== null; ) {
      const page = await things.page(
        {},
        { order: ASCENDING, running, limit: 2, ...(next !== undefined && { after: next }) }
      )
      seen.push(...column(page.items, 'running'))
      next = page.next
    }
    assert.deepEqual(seen, expected)
    const streamed: unknown[] = []
    for await (const row of things.stream({}, { order: ASCENDING, running })) streamed.push(row.running)
    assert.deepEqual(streamed, expected)
    const found = await things.findOne({ count: { $gt: 1 } }, { order: ASCENDING, running })
    assert.deepEqual(found?.running, { all: '0.20', own: 2, last: '6.15' })
  },
  'rows that the order leaves level come by id': async ({ things }) => {
    await things.createMany([1, 2, 4, 8].map((total) => ({ count: 1, total })))
    const running = { all: { sum: 'total' } } as const
    const rows = await things.find({}, { order: ASCENDING, running })
    const ids = column(rows, 'id')
    assert.deepEqual(ids, ids.toSorted())
    assert.equal(totals(rows).at(-1), 15)
    for (const offset of [1, 2, 3]) {
      const [row] = await things.find({}, { order: ASCENDING, running, offset, limit: 1 })
      assert.deepEqual(row?.running, rows[offset]?.running)
    }
    const byId = await things.find({}, { running, offset: 3 })
    assert.deepEqual(totals(byId), [15])
  },
  'related rows have the sum within those of their row': async ({ repository }) => {
    const [invoices, payments] = [repository('Invoice'), repository('Payment')]
    const [one, two] = await invoices.createMany([{ number: '1' }, { number: '2' }])
    const paid = (invoiceId: unknown, amount: string, weight: number) => ({ invoiceId, amount, weight })
    await payments.createMany([
      ...[paid(one?.id, '0.10', 2), paid(two?.id, '5.00', 1), paid(one?.id, '0.20', 1)],
      ...[paid(one?.id, '0.30', 3), paid(two?.id, '7.00', 2)]
    ])
    const included = async (of: object) => {
      const options = { order: [['number', 'ASC']], include: { payments: of } }
      const rows: AnyRow[] = await invoices.find({}, options as never)
      return rows.map((row) => totals(row.payments))
    }
    const order = [['weight', 'ASC']]
    assert.deepEqual(await included({ order, running: ALL }), [
      ['0.20', '0.30', '0.60'],
      ['5.00', '12.00']
    ])
    assert.deepEqual(await included({ order, running: ALL, limit: 2 }), [
      ['0.20', '0.30'],
      ['5.00', '12.00']
    ])
    const last = { all: { sum: 'amount', from: 'last' } }
    assert.deepEqual(await included({ order, running: last, select: ['state'] }), [
      ['0.60', '0.40', '0.30'],
      ['12.00', '7.00']
    ])
    await refused(() => included({ order, running: last, limit: 2 }), 'SVC_ORM_OPTIONS', 400)
    const reference = { include: { invoice: { running: { all: { sum: 'total' } } } } }
    await refused(() => payments.find({}, reference as never), 'SVC_ORM_OPTIONS', 400)
  },
  'what no sum is made of is refused': async ({ things, books }) => {
    const find =
      (running: unknown, order: unknown = ASCENDING) =>
      () =>
        things.find({}, { running, order } as never)
    for (const running of [
      5,
      { 'a b': { sum: 'total' } },
      { a: 5 },
      { a: { sum: 'label' } },
      { a: { sum: 'numbers' } }
    ]) {
      await refused(find(running), 'SVC_ORM_OPTIONS', 400)
    }
    for (const more of [{ by: 'label' }, { by: ['data'] }, { from: 'begin' }, { of: 'total' }]) {
      await refused(find({ a: { sum: 'total', ...more } }), 'SVC_ORM_OPTIONS', 400)
    }
    await refused(find({ a: { sum: 'nothing' } }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(find({ a: { sum: 'total', by: ['nothing'] } }), 'SVC_ORM_UNKNOWN_FIELD', 400)
    await refused(find(ALL, [['total', 'ASC']]), 'SVC_ORM_OPTIONS', 400)
    const related = { order: [['author.name', 'ASC']], running: { a: { sum: 'title' } } }
    await refused(() => books.find({}, related as never), 'SVC_ORM_OPTIONS', 400)
  }
}
