/** The published suites of stores of endpoints and of histories: `svc-webhooks/conformance`. That of queues is in `svc-queue/conformance`. */
export { aWebhook, webhookSort, webhooksStoreConformance } from './endpoints/endpoint-store-conformance.ts'
export { anEntry, historyStoreConformance } from './history/history-store-conformance.ts'
