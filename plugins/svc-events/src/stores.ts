/** `svc-events/stores`: what this package keeps, as definitions that any engine opens, and the rows that they hold. */
export { eventEndpointStore, eventHistoryStore, eventRecoveryStore } from './endpoints/endpoint-stores.ts'
export { type PortalPurpose, type PortalTokenStore, portalTokenStore } from './portal/portal-tokens.ts'
export type { EventFilter, EventPageQuery, StoredEvent } from './records/event-record.ts'
export type { EventStore, HandOn } from './records/event-store.ts'
export { eventStore } from './records/table-events.ts'
