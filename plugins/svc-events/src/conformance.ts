/** `svc-events/conformance`: the suite for stores of events; that of the portal's is `tokenStoreConformance` of svc-stores. */
export { eventStoreConformance } from './records/event-store-conformance.ts'
