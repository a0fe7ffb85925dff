/** `svc-webhooks/stores`: what this package keeps, as definitions that any engine opens, and the rows that they hold. */
export { deliveriesStore } from './delivery/deliveries-queue.ts'
export type { NewWebhook, WebhookPatch, WebhookRecord } from './endpoints/endpoint.ts'
export {
  type StoredFilter,
  type WebhookFilter,
  type WebhookSortField,
  type WebhookStats,
  type WebhooksStore,
  webhooksStore
} from './endpoints/endpoint-store.ts'
export type { DeliveryFilter, DeliveryPageQuery } from './history/delivery-record.ts'
export { type HistoryEntry, type HistoryStore, historyStore } from './history/history-store.ts'
export { type RecoveryRow, type RecoveryState, type RecoveryStore, recoveryStore } from './recovery/recovery-store.ts'
