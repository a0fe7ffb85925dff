/** The published suites: `svc-webhooks/conformance`. What stores of endpoints and of histories, and a durable queue of deliveries, have to pass. */
export { durableQueueConformance } from './delivery/durable/durable-queue-conformance.ts'
export { aWebhook, webhookSort, webhooksStoreConformance } from './endpoints/endpoint-store-conformance.ts'
export { anEntry, historyStoreConformance } from './history/history-store-conformance.ts'
