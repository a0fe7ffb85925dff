/** What changes may say of a field follows from its type. */
import type { FastifyInstance } from 'fastify'
import { defineEntity } from 'svc-orm'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

const Product = defineEntity({
  name: 'Product',
  schema: {
    name: { type: 'string' },
    stock: { type: 'integer', nullable: true },
    weight: { type: 'float' },
    price: { type: 'decimal', scale: 2 },
    sku: { type: 'string', unique: true },
    seen: { type: 'date', nullable: true },
    tags: { type: 'string', array: true },
    facts: { type: 'json' }
  }
})

test('number fields are computed, dates have bounds, and other fields have values alone', () => {
  const products = fastify.orm.repository(Product)
  expect(products.updateOne).type.toBeCallableWith({}, { stock: { $add: -2 }, weight: { $mul: 1.5 }, name: 'x' })
  expect(products.updateMany).type.toBeCallableWith({}, { price: { $mul: '1.1' }, stock: { $sub: 1 } })
  expect(products.updateMany).type.toBeCallableWith({}, { price: { $add: '0.10' } })
  expect(products.updateMany).type.toBeCallableWith({}, { price: { $min: 5 }, stock: { $max: 1 } })
  expect(products.updateMany).type.toBeCallableWith({}, { seen: { $max: new Date() } })
  expect(products.updateMany).type.toBeCallableWith({}, { facts: { $add: 1 } })
  expect(products.updateMany).type.not.toBeCallableWith({}, { name: { $add: 1 } })
  expect(products.updateMany).type.not.toBeCallableWith({}, { seen: { $add: 1 } })
  expect(products.updateMany).type.not.toBeCallableWith({}, { tags: { $max: 'x' } })
  expect(products.updateMany).type.not.toBeCallableWith({}, { stock: { $add: '1' } })
  expect(products.updateMany).type.not.toBeCallableWith({}, { stock: { $inc: 1 } })
})

test('an upsert changes the row that is there as an update does', () => {
  const products = fastify.orm.repository(Product)
  expect(products.upsert).type.toBeCallableWith({ sku: 'x' }, { name: 'n' }, { update: true })
  expect(products.upsert).type.toBeCallableWith({ sku: 'x' }, {}, { update: { stock: { $add: 1 }, name: 'n' } })
  expect(products.upsert).type.not.toBeCallableWith({ sku: 'x' }, {}, { update: { name: { $add: 1 } } })
  expect(products.upsert).type.not.toBeCallableWith({ sku: 'x' }, {}, { update: 1 })
})

test('the version that was read goes with the values of an upsert', () => {
  const Page = defineEntity({ name: 'Page', schema: { path: { type: 'string', unique: true } }, version: true })
  const pages = fastify.orm.repository(Page)
  const options = { on: ['path'], update: true } as const
  expect(pages.upsert).type.toBeCallableWith({ path: '/' }, { version: 2 }, { update: true })
  expect(pages.upsertMany).type.toBeCallableWith([{ path: '/', version: 2 }, { path: '/a' }], options)
  expect(pages.upsertMany).type.not.toBeCallableWith([{ path: '/', version: '2' }], options)
  const products = fastify.orm.repository(Product)
  expect(products.upsert).type.not.toBeCallableWith({ sku: 'x' }, { version: 2 }, { update: true })
})
