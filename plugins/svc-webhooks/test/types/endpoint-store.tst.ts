/** The types of the endpoints' store. */
import { inMemory, type StoreParts } from 'svc-stores'
import type { WebhookSummary } from 'svc-webhooks'
import { webhooksStoreConformance } from 'svc-webhooks/conformance'
import { type NewWebhook, type WebhookPatch, type WebhooksStore, webhooksStore } from 'svc-webhooks/stores'
import t from 'tap'
import { expect, test } from 'tstyche'

declare const parts: StoreParts

test('a listing has no secrets', () => {
  expect<WebhookSummary>().type.not.toHaveProperty('secretEnc')
})

test('counters are not for callers to set', () => {
  expect<NewWebhook>().type.not.toHaveProperty('failureCount')
  expect<WebhookPatch>().type.not.toBeAssignableFrom({ failureCount: 1 })
  expect<WebhookPatch>().type.toBeAssignableFrom({ failureCount: 0 as const })
  expect<WebhookPatch>().type.not.toBeAssignableFrom({ url: undefined })
})

test('a definition opens a store; its suite runs on tap as it is', () => {
  expect(inMemory(webhooksStore, parts)).type.toBe<WebhooksStore>()
  const makeStore = (given: StoreParts) => inMemory(webhooksStore, given)
  expect(webhooksStoreConformance).type.toBeCallableWith(t, { makeStore, faults: null })
})
