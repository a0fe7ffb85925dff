/** Random rows of two entities, and what is asked of the one by the other: on a driver and on the memory engine. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { AnyRow } from '../entities/row-of.ts'
import { type CaseContext, emptyTables } from './conformance-suite.ts'

const INVOICES = 4

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 4 })
const amount = fc.constantFrom('-1.00', '0.00', '0.01', '2.50', '10.00')
const integer = fc.constantFrom(-1, 0, 1, 2, 3)
const rate = fc.constantFrom(-0.5, 0, 0.25, 2)
const state = fc.constantFrom('done', 'open', 'Open')
const day = fc.constantFrom(0, 1, 2).map((ms) => new Date(ms))

const invoice = fc.record({ total: orNull(amount), parts: orNull(integer) })
const payment = fc.record({
  of: fc.option(fc.nat(INVOICES - 1), { nil: null, freq: 6 }),
  ...{ amount: orNull(amount), weight: orNull(integer), rate: orNull(rate), at: orNull(day), state }
})

function compared(values: fc.Arbitrary<unknown>, others: readonly string[]): fc.Arbitrary<unknown> {
  const names = { minKeys: 1, maxKeys: 2, noNullPrototype: true }
  const shape = {
    ...{ $eq: values, $ne: values, $gt: values, $gte: values, $lt: values, $lte: values, $null: fc.boolean() },
    ...(others.length > 0 && {
      $field: fc.dictionary(fc.constantFrom('$eq', '$ne', '$gt', '$lte'), fc.constantFrom(...others), names)
    })
  }
  const operators = fc
    .record<Record<string, unknown>>(shape, { requiredKeys: [] })
    .filter((given) => Object.keys(given).length > 0)
  return fc.oneof(values, operators)
}

const byField = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.oneof(...Object.entries(fields).map(([name, asked]) => asked.map((given) => ({ [name]: given }))))

const numbers = {
  amount: compared(amount, ['total']),
  weight: compared(integer, ['parts']),
  rate: compared(rate, ['parts'])
}
const ordered = { ...numbers, at: compared(day, []), state: compared(state, ['number']) }
const { rate: _, ...exact } = ordered

const order = fc.uniqueArray(
  fc.tuple(fc.constantFrom('at', 'amount', 'weight', 'state'), fc.constantFrom('ASC', 'DESC')),
  { maxLength: 2, selector: ([field]) => field }
)

const measure = fc.oneof(
  fc.tuple(fc.constant('$count'), compared(integer, ['parts'])),
  fc.tuple(fc.constantFrom('$sum', '$avg'), byField(numbers)),
  fc.tuple(fc.constantFrom('$min', '$max'), byField(exact))
)

/** At most two measures: a server plans thousands of subqueries for minutes. */
const measures = fc
  .uniqueArray(measure, { maxLength: 2, selector: ([name]) => name })
  .map((pairs) => Object.fromEntries(pairs))

const rows = fc.record(
  {
    $latest: fc.record({ order, limit: fc.integer({ min: 1, max: 3 }) }),
    ...{ state, weight: fc.constant({ $gte: 1 }) }
  },
  { requiredKeys: [], noNullPrototype: true }
)

const payments = fc
  .tuple(rows, measures, fc.option(fc.boolean(), { nil: undefined, freq: 2 }))
  .map(([given, measured, $exists]): Record<string, unknown> => {
    const isAsked = $exists !== undefined && Object.keys(measured).length === 0
    return { ...given, ...measured, ...(isAsked && { $exists }) }
  })

const criteria = fc.oneof(
  payments.map((given) => ({ payments: given })),
  payments.map((given) => ({ $not: { payments: given } })),
  fc.tuple(payments, payments).map((both) => ({ $or: both.map((given) => ({ payments: given })) }))
)

const keys = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('invoice.total', 'invoice.number', 'invoice.parts', 'weight', 'state'),
    fc.constantFrom('ASC', 'DESC')
  ),
  { maxLength: 2, selector: ([field]) => field }
)

const question = fc.record({ criteria, keys, order, limit: fc.integer({ min: 1, max: 3 }), offset: fc.nat(2) })

type Question = typeof question extends fc.Arbitrary<infer Each> ? Each : never

/** @throws where the driver finds other rows, another order or other numbers than the memory engine */
export async function compareRelated(driver: CaseContext, reference: CaseContext, runs: number): Promise<void> {
  const property = fc.asyncProperty(
    fc.array(invoice, { minLength: INVOICES, maxLength: INVOICES }),
    fc.array(payment, { maxLength: 10 }),
    fc.array(question, { minLength: 3, maxLength: 3 }),
    async (invoices, given, questions) => {
      for (const context of [driver, reference]) await fill(context, invoices, given)
      for (const each of questions) assert.deepEqual(await ask(driver, each), await ask(reference, each))
    }
  )
  await fc.assert(property, { numRuns: runs })
}

async function fill(context: CaseContext, invoices: readonly object[], payments: readonly object[]): Promise<void> {
  await emptyTables(context)
  const made = await context
    .repository('Invoice')
    .createMany(invoices.map((each, place) => ({ ...each, number: `n${place}` })))
  const rows = (payments as readonly { of: number | null }[]).map(({ of, ...each }) => {
    return { ...each, invoiceId: of === null ? null : (made[of]?.id ?? null) }
  })
  await context.repository('Payment').createMany(rows)
}

async function ask(context: CaseContext, { criteria, keys, order, limit, offset }: Question): Promise<unknown> {
  const [invoices, payments] = [context.repository('Invoice'), context.repository('Payment')]
  const include = { payments: { order, limit } }
  const counts = { payments: true, open: { relation: 'payments', where: { state: 'open' } } }
  return [
    shown(await invoices.find(criteria, { include, counts } as never)),
    await invoices.count(criteria),
    shown(await payments.find({}, { order: keys, limit: limit + 3, offset } as never)),
    shown(await invoices.find({}, { order: [['payments.$count', 'DESC']] } as never))
  ]
}

/** Without ids, which differ. */
function shown(rows: readonly AnyRow[]): unknown {
  return JSON.parse(JSON.stringify(rows, (name, held: unknown) => (/^id$|Id$/.test(name) ? undefined : held)))
}
