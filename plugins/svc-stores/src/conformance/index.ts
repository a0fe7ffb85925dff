/**
 * The published suites: `svc-stores/conformance`. A driver runs the suite of each
 * brick it carries; whatever passes may take the place of the memory store.
 */
export { auditStoreConformance } from './audit-conformance.ts'
export type { ConformanceRunner, ConformanceSubject } from './conformance-suite.ts'
export { idempotencyStoreConformance } from './idempotency-conformance.ts'
export { ManualClock } from './manual-clock.ts'
export type { FailingStore, StoreFaults } from './outage-cases.ts'
export { passkeysStoreConformance } from './passkeys-conformance.ts'
export { sessionStoreConformance } from './session-conformance.ts'
export { type TableSubject, tableConformance } from './table-suite.ts'
export { tokensStoreConformance } from './tokens-conformance.ts'
export { totpStoreConformance } from './totp-conformance.ts'
export { userStoreConformance } from './user-conformance.ts'
export { webhooksStoreConformance } from './webhooks-conformance.ts'
