/** The types applications and adapters meet. */
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { RouteSettings } from 'svc-decorators'
import svcRealtime, {
  CloseCode,
  type Realtime,
  type RealtimeAdapter,
  RpcCode,
  type SvcRealtimeOptions
} from 'svc-realtime'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

test('publishing and looking', () => {
  expect(fastify.realtime).type.toBe<Realtime>()
  expect(fastify.realtime.publish).type.toBeCallableWith('orders:1', { any: ['thing'] })
  expect(fastify.realtime.publish).type.not.toBeCallableWith('orders:1')
  expect(fastify.realtime.status().adapter.connected).type.toBe<boolean>()
})

test('a lock is clauses, or open', () => {
  expect<SvcRealtimeOptions>().type.toBeAssignableFrom<{ channels: [{ pattern: 'a'; anonymous: true }] }>()
  expect<SvcRealtimeOptions>().type.toBeAssignableFrom<{
    channels: [{ pattern: 'a:*'; requires: ['ROLE_A', ['ROLE_B', 'c:read']]; publish: ['ROLE_D'] }]
  }>()
  expect<SvcRealtimeOptions>().type.not.toBeAssignableFrom<{ channels: [{ anonymous: true }] }>()
  expect<SvcRealtimeOptions>().type.not.toBeAssignableFrom<{ channels: [{ pattern: 'a'; requires: 'ROLE_A' }] }>()
})

test('a route takes requests over the socket by its config', () => {
  expect<FastifyContextConfig['realtime']>().type.toBe<boolean | undefined>()
  expect<RouteSettings>().type.toBeAssignableFrom<{ config: { realtime: true } }>()
})

test('an adapter of the application', () => {
  expect(fastify.register).type.toBeCallableWith(svcRealtime, { parts: { adapter: {} as RealtimeAdapter } })
  expect(fastify.register).type.not.toBeCallableWith(svcRealtime, { parts: { adapter: {} } })
})

test('the numbers are literal', () => {
  expect(RpcCode.FORBIDDEN).type.toBe<-32003>()
  expect(CloseCode.TRY_AGAIN_LATER).type.toBe<1013>()
})
