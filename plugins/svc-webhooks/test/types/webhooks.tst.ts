/** The types that administrators' code, receivers and describers of the API meet. */
import type { FastifyInstance } from 'fastify'
import type { ApiDescription } from 'svc-kernel'
import svcWebhooks, {
  assertUrlAllowed,
  type CheckedTarget,
  type DeliveryRecord,
  describeWebhooks,
  type EndpointPage,
  type EndpointView,
  type Lookup,
  SsrfError,
  type SsrfReason,
  type SvcWebhooksOptions,
  verifyWebhook,
  type Webhooks,
  type WithSecret
} from 'svc-webhooks'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

test('the registry', () => {
  expect(fastify.webhooks).type.toBe<Webhooks>()
  expect(fastify.webhooks.enabled).type.toBe<boolean>()
  expect(fastify.webhooks.closedBecause).type.toBe<string | null>()
  expect(fastify.webhooks.create({ url: 'https://a.example/', events: ['*'] })).type.toBe<Promise<WithSecret>>()
  expect(fastify.webhooks.list({ failing: true }, { order: [['url', 'ASC']] })).type.toBe<Promise<EndpointPage>>()
  expect(fastify.webhooks.update('wh_x', { enabled: false })).type.toBe<Promise<EndpointView>>()
  expect(fastify.webhooks.deliveries('wh_x')).type.toBe<Promise<readonly DeliveryRecord[]>>()
})

test('no secret in a view, no sort by a nullable field, no forgery of state', () => {
  expect<EndpointView>().type.not.toHaveProperty('secretEnc')
  expect(fastify.webhooks.list).type.not.toBeCallableWith({}, { order: [['lastDeliveryAt', 'ASC']] })
  expect(fastify.webhooks.update).type.not.toBeCallableWith('wh_x', { failureCount: 0 })
  expect(fastify.webhooks.create).type.not.toBeCallableWith({ url: 'https://a.example/' })
})

test('options are data, live objects are parts', () => {
  expect<SvcWebhooksOptions>().type.toBeAssignableFrom({ maxRetries: 3, store: 'auto' } as const)
  expect<SvcWebhooksOptions>().type.not.toBeAssignableFrom({ signAlg: 'sha1' } as const)
  const lookup: Lookup = async () => [{ address: '192.0.2.1', family: 4 }]
  expect(fastify.register).type.toBeCallableWith(svcWebhooks, { allowHttp: true, parts: { lookup } })
})

test('for receivers and for URLs of your own', () => {
  const message = { secret: ['a', 'b'], headers: { 'webhook-id': 'x' }, body: new Uint8Array() } as const
  expect(verifyWebhook(message)).type.toBe<{ id: string; timestamp: number }>()
  expect(verifyWebhook).type.not.toBeCallableWith({ ...message, body: { parsed: true } })
  expect(assertUrlAllowed('https://a.example/', { allowCidrs: [] })).type.toBe<Promise<CheckedTarget>>()
  expect(new SsrfError('scheme').reason).type.toBe<SsrfReason>()
})

test('the description of the messages', () => {
  expect(describeWebhooks(new Map(), { toleranceS: 300 })).type.toBe<ApiDescription>()
  expect(fastify.apiDescriptions).type.toBe<ApiDescription[]>()
})
