/** The types that an application meets which adds checks and metrics of its own. */
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import svcOps, { type Ops, type SvcOpsOptions } from 'svc-ops'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

test('the decorator', () => {
  expect(fastify.ops).type.toBe<Ops>()
  expect(fastify.ops.registry).type.toBe<Registry>()
  expect(fastify.ops.addCheck).type.toBeCallableWith('database', async () => undefined)
  expect(fastify.ops.addCheck).type.not.toBeCallableWith(async () => undefined)
})

test('options', () => {
  expect<SvcOpsOptions>().type.toBeAssignableFrom({ metrics: { openToLoopback: true } })
  expect<SvcOpsOptions>().type.not.toBeAssignableFrom({ metrics: 'off' })
  expect(fastify.register).type.toBeCallableWith(svcOps, { health: { enabled: false } })
})
