/** The types that the test of an application meets. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Clock } from 'svc-kernel'
import { type ActingCaller, actingAs, buildApp, FakeDns, type ManualClock } from 'svc-test'
import type { Lookup } from 'svc-webhooks'
import { expect, test } from 'tstyche'

declare const app: FastifyInstance

test('an application and a caller', () => {
  expect(buildApp('.')).type.toBe<Promise<FastifyInstance>>()
  expect(buildApp).type.not.toBeCallableWith('.', { mode: 'staging' })
  const caller = actingAs(app, { identifier: 'ada', roles: ['ROLE_ADMIN'] })
  expect(caller).type.toBe<ActingCaller>()
  expect(caller.inject('/')).type.toBe<Promise<LightMyRequestResponse>>()
  expect(actingAs).type.not.toBeCallableWith(app, { roles: ['ROLE_ADMIN'] })
})

test('doubles stand in for parts', () => {
  expect<Clock>().type.toBeAssignableFrom<ManualClock>()
  expect(new FakeDns().set('a.example', ['192.0.2.1']).lookup).type.toBe<Lookup>()
})
