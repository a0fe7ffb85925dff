/** Rows of an entity with a scope, and work within one and across all. */
import type { FastifyInstance } from 'fastify'
import { defineEntity, type NewOf, type RowOf } from 'svc-orm'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

test('a scope is a field of rows, which a new row may leave out, and a key does without', () => {
  const Invoice = defineEntity({
    name: 'Invoice',
    scope: 'organization',
    schema: { number: { type: 'string', unique: true } }
  })
  expect<RowOf<typeof Invoice>>().type.toBe<{ id: string; number: string; organizationId: string }>()
  expect<NewOf<typeof Invoice>>().type.toBe<{ id?: string; number: string; organizationId?: string }>()
  const invoices = fastify.orm.repository(Invoice)
  expect(invoices.find).type.toBeCallableWith({ organizationId: 'a' }, { order: [['organizationId', 'ASC']] })
  expect(invoices.upsert).type.toBeCallableWith({ number: '1' }, { number: '1' })
  expect(fastify.orm.withScope({ organization: 'a' }, async () => 7)).type.toBe<Promise<number>>()
  expect(fastify.orm.acrossScopes('a report', () => 'x')).type.toBe<string>()
  expect(fastify.orm.withScope).type.not.toBeCallableWith({ organization: 7 }, () => 7)
})
