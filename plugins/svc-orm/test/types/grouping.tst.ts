/** Groups have what they share and their measures, with the types of their fields. */
import type { FastifyInstance } from 'fastify'
import { defineEntity } from 'svc-orm'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

const Order = defineEntity({
  name: 'Order',
  schema: {
    state: { type: 'enum', values: ['open', 'paid'] },
    total: { type: 'decimal', scale: 2 },
    placedAt: { type: 'date' },
    paidAt: { type: 'date', nullable: true },
    due: { type: 'day' },
    items: { type: 'integer' }
  }
})

test('parts of moments are text, under the name of their unit or their own', async () => {
  const orders = fastify.orm.repository(Order)
  const by = ['state', { month: 'placedAt', zone: 'Europe/Berlin' }, { week: 'paidAt', as: 'paidIn' }] as const
  const [group] = await orders.groupBy({}, { by, measures: { sum: { sum: 'total' } }, order: [['month', 'DESC']] })
  expect(group?.state).type.toBe<'open' | 'paid' | undefined>()
  expect(group?.month).type.toBe<string | undefined>()
  expect(group?.paidIn).type.toBe<string | null | undefined>()
  expect(group?.sum).type.toBeAssignableTo<string | null | undefined>()
  expect(orders.groupBy).type.toBeCallableWith({}, { by: [{ quarter: 'due' }] })
  expect(orders.groupBy).type.not.toBeCallableWith({}, { by: [{ month: 'items' }] })
  expect(orders.groupBy).type.not.toBeCallableWith({}, { by: [{ month: 'nope' }] })
  expect(orders.groupBy).type.not.toBeCallableWith({}, { by: [{ decade: 'placedAt' }] })
})

test('measures count values, different values, and some rows', async () => {
  const orders = fastify.orm.repository(Order)
  const measures = {
    rows: { count: true },
    paid: { count: 'paidAt' },
    states: { countDistinct: 'state' },
    open: { sum: 'total', where: { state: 'open' } }
  } as const
  const all = await orders.aggregate({}, measures)
  expect(all.paid).type.toBe<number>()
  expect(all.states).type.toBe<number>()
  expect(all.open).type.toBeAssignableTo<string | null>()
  expect(orders.aggregate).type.not.toBeCallableWith({}, { x: { count: 'nope' } })
  expect(orders.aggregate).type.not.toBeCallableWith({}, { x: { sum: 'total', where: { items: 'x' } } })
})

test('having knows what groups share and their measures', () => {
  const orders = fastify.orm.repository(Order)
  const measures = { rows: { count: true }, sum: { sum: 'total' } } as const
  const by = ['state', { month: 'placedAt' }] as const
  expect(orders.groupBy).type.toBeCallableWith({}, { by, measures, having: { sum: { $gt: '100' }, rows: [1, 2] } })
  expect(orders.groupBy).type.toBeCallableWith(
    {},
    { by, measures, having: { $or: [{ month: '2026-11' }, { rows: 1 }] } }
  )
  expect(orders.groupBy).type.not.toBeCallableWith({}, { by, measures, having: { rows: 'x' } })
  expect(orders.groupBy).type.not.toBeCallableWith({}, { by, measures, having: { nope: 1 } })
})
