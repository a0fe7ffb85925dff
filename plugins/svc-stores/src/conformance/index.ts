/**
 * The published suites: `svc-stores/conformance`. `tableConformance` is what a driver has to pass; the rest is what
 * suites of stores are made of, beside the stores themselves.
 */

export {
  aCase,
  atOnce,
  type ConformanceCase,
  type ConformanceRunner,
  type ConformanceSubject,
  oneWinner,
  refused,
  runCases
} from './conformance-suite.ts'
export { NOT_TEXT, STRANGE_TEXTS, strangeJson, UNSTORABLE_TEXTS } from './hostile-text.ts'
export { listingCases, spoil } from './listing-cases.ts'
export { ManualClock } from './manual-clock.ts'
export type { FailingStore, Operations, StoreFaults } from './outage-cases.ts'
export { searchCases } from './search-cases.ts'
export { type TableSubject, tableConformance } from './table-suite.ts'
export { tokenStoreConformance } from './token-store-conformance.ts'
