/**
 * `svc-webhooks/parts`: what another package builds a registry of its own from: endpoints, deliveries, history and routes,
 * under names of its own. Nothing here reaches the registry of svc-webhooks, or the audit journal.
 */
export {
  adminScope,
  type DoorOptions,
  type RegistryDoor,
  refuseKeys
} from './admin/admin-route.ts'
export { deliveriesRoutes } from './admin/deliveries.routes.ts'
export { endpointsRoutes } from './admin/endpoints.routes.ts'
export { recoveryRoutes } from './admin/recovery.routes.ts'
export type { AttemptedEndpoint } from './delivery/attempt.ts'
export { Dispatcher, type DispatchLimits } from './delivery/dispatcher.ts'
export { createTransport } from './delivery/transport/transport.ts'
export { endpointUrl, type NewWebhook, type WebhookRecord } from './endpoints/endpoint.ts'
export { type EndpointSecrets, openSecrets } from './endpoints/endpoint-secrets.ts'
export { SubscriptionIndex } from './endpoints/endpoint-snapshot.ts'
export { guardedStore, TableWebhooksStore, type WebhooksStore } from './endpoints/endpoint-store.ts'
export { StoreTimeout, WebhooksUnavailable } from './errors.ts'
export { type HistoryStore, historyStore, TableHistoryStore } from './history/history-store.ts'
export { LastingHistory } from './history/lasting-history.ts'
export type { OpenWebhooks } from './open-webhooks.ts'
export { HISTORY_BOUNDS } from './options.ts'
export type { MissedJournal } from './recovery/missed-events.ts'
export { Recoveries } from './recovery/recoveries.ts'
export { type RecoveryStore, recoveryStore, TableRecoveryStore } from './recovery/recovery-store.ts'
export { type MessageEvent, messageId } from './signature/message.ts'
export { type Lookup, systemLookup } from './ssrf/lookup.ts'
export { networkProblems, productionWarnings } from './ssrf/policy-problems.ts'
export { assertUrlAllowed } from './ssrf/url-guard.ts'
export { Webhooks } from './webhooks.ts'
