/** The types drivers and consumers meet. */
import type { FastifyInstance } from 'fastify'
import {
  type Brick,
  MemoryUserStore,
  type NewWebhook,
  type StoreDefinition,
  type StoreParts,
  type UserStore,
  type UserSummary,
  type WebhookPatch,
  type WebhookSummary
} from 'svc-stores'
import { type ConformanceSubject, userStoreConformance } from 'svc-stores/conformance'
import t from 'tap'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance
declare const parts: StoreParts
declare const users: StoreDefinition<UserStore>

test('the bricks are a closed set', () => {
  expect<Brick>().type.toBe<
    'session' | 'user' | 'tokens' | 'passkeys' | 'totp' | 'webhooks' | 'audit' | 'idempotency'
  >()
})

test('a selection has a store, or says that the brick is disabled', () => {
  const selection = fastify.stores.select(users, 'auto')
  expect(selection.store).type.toBe<UserStore | null>()
  if (selection.driver !== null) expect(selection.store).type.toBe<UserStore>()
  expect(fastify.stores.select).type.not.toBeCallableWith(users, 'auto', { find: () => null })
})

test('a driver provides a store of its own making', () => {
  expect(fastify.stores.provide).type.toBeCallableWith('user', 'sqlorm', () => new MemoryUserStore(parts))
  expect(fastify.stores.provide).type.not.toBeCallableWith('user', 'sqlorm', () => null)
})

test('a listing has no secrets', () => {
  expect<UserSummary>().type.not.toHaveProperty('password')
  expect<WebhookSummary>().type.not.toHaveProperty('secretEnc')
})

test('counters are not for callers to set', () => {
  expect<NewWebhook>().type.not.toHaveProperty('failureCount')
  expect<WebhookPatch>().type.not.toBeAssignableFrom({ failureCount: 1 })
  expect<WebhookPatch>().type.toBeAssignableFrom({ failureCount: 0 as const })
  expect<WebhookPatch>().type.not.toBeAssignableFrom({ url: undefined })
})

test('the suites run on tap as it is', () => {
  const subject: ConformanceSubject<UserStore> = { makeStore: (given) => new MemoryUserStore(given), faults: null }
  expect(userStoreConformance).type.toBeCallableWith(t, subject)
})
