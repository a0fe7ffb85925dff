/** The types that the test of an application meets. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Clock } from 'svc-kernel'
import {
  type ActingCaller,
  actingAs,
  buildApp,
  type CapturedMail,
  FakeDns,
  jobsOf,
  type ManualClock,
  mailsOf,
  type RanJob
} from 'svc-test'
import type { Lookup } from 'svc-webhooks'
import { expect, test } from 'tstyche'

declare const app: FastifyInstance
declare const clock: ManualClock

test('an application and a caller', () => {
  expect(buildApp('.')).type.toBe<Promise<FastifyInstance>>()
  expect(buildApp).type.not.toBeCallableWith('.', { mode: 'staging' })
  const caller = actingAs(app, { identifier: 'ada', roles: ['ROLE_ADMIN'] })
  expect(caller).type.toBe<ActingCaller>()
  expect(caller.inject('/')).type.toBe<Promise<LightMyRequestResponse>>()
  expect(actingAs).type.not.toBeCallableWith(app, { roles: ['ROLE_ADMIN'] })
})

test('jobs and mails of an application', () => {
  expect(buildApp('.', { clock })).type.toBe<Promise<FastifyInstance>>()
  expect(jobsOf(app).drain()).type.toBe<Promise<readonly RanJob[]>>()
  expect(jobsOf(app).advance('1h', { allowFailures: true })).type.toBe<Promise<readonly RanJob[]>>()
  expect(jobsOf(app).ran('invoice.send')).type.toBe<readonly RanJob[]>()
  expect(mailsOf(app).last({ to: 'ada@example.org' })).type.toBe<CapturedMail>()
  expect(mailsOf(app).last).type.not.toBeCallableWith({ text: 'a' })
})

test('doubles stand in for parts', () => {
  expect<Clock>().type.toBeAssignableFrom<ManualClock>()
  expect(new FakeDns().set('a.example', ['192.0.2.1']).lookup).type.toBe<Lookup>()
})
