/** The published suites: `svc-webhooks/conformance`. What a store of endpoints, and a durable queue of deliveries, has to pass. */
export { durableQueueConformance } from './delivery/durable/durable-queue-conformance.ts'
export { aWebhook, webhookSort, webhooksStoreConformance } from './endpoints/endpoint-store-conformance.ts'
