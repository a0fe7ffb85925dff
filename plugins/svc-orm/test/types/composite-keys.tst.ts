/** Rows of an existing table whose key has several columns. */
import type { FastifyInstance } from 'fastify'
import { defineEntity, type NewOf, type RowOf } from 'svc-orm'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

test('rows have an id, a new row does without, and the fields of the key name one row', () => {
  const Line = defineEntity({
    name: 'Line',
    existing: { name: 'order_lines', key: ['orderId', 'position'], writable: true },
    schema: { position: { type: 'integer' }, sku: { type: 'string' } },
    relations: { order: { type: 'many-to-one', target: 'Order', field: 'orderId' } }
  })
  expect<RowOf<typeof Line>['id']>().type.toBe<string>()
  expect<NewOf<typeof Line>>().type.toBe<{ id?: string; position: number; sku: string; readonly orderId: string }>()
  const lines = fastify.orm.repository(Line)
  expect(lines.upsert).type.toBeCallableWith({ orderId: '1', position: 2 }, { sku: 'x' })
  expect(lines.upsert).type.not.toBeCallableWith({ orderId: '1' }, { sku: 'x' })
  expect(lines.upsert).type.not.toBeCallableWith({ orderId: '1', position: '2' }, { sku: 'x' })
})

test('a key of a table that svc makes names one row as well', () => {
  const Seat = defineEntity({
    name: 'Seat',
    key: ['block', 'place'],
    schema: { block: { type: 'string' }, place: { type: 'integer' } }
  })
  const seats = fastify.orm.repository(Seat)
  expect<NewOf<typeof Seat>>().type.toBe<{ id?: string; block: string; place: number }>()
  expect(seats.upsert).type.toBeCallableWith({ block: 'a', place: 2 }, {})
  expect(seats.upsert).type.not.toBeCallableWith({ block: 'a' }, {})
})
