/** `svc-events/conformance`: the suite for stores of events. */
export { eventStoreConformance } from './records/event-store-conformance.ts'
