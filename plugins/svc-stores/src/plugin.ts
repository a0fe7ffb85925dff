/** `svc-stores/plugin`: what plugins that keep records share: pages, checks of records, batches, purges, outages, the choice of a store. */
export { InsuredStore, type InsuredStoreParts } from './insured/insured-store.ts'
export type { MaintenanceRunner } from './maintenance/maintenance.ts'
export {
  type CompletePage,
  type CursorPosition,
  checkInteger,
  decodeCursor,
  encodeCursor,
  type FilterType,
  readFilter,
  readPage,
  type SortFields
} from './paging/page.ts'
export { BatchWriter, type BatchWriterParts } from './records/batch-writer.ts'
export { checkText, copyJson, type RecordShape, storablePatch, storableRecord } from './records/record-values.ts'
export { RingBuffer } from './records/ring-buffer.ts'
export { resealAtStart, type SealedCounts, type SealedSecrets } from './sealed/reseal-at-start.ts'
export { type Resealed, type ResealRows, resealRows, type SealedRow } from './sealed/reseal-rows.ts'
export { chooseStore, type SelectionFacts, type SelectionVerdict } from './selection/choose-store.ts'
export { aroundCalls, operationsOf } from './selection/store-definition.ts'
export type { StoresSetting } from './selection/stores.ts'
export { compareText } from './table/compare-held.ts'
export { newTokenSecret, type TokenRecord, tokenHash } from './tokens/token-record.ts'
export { type TokenStore, type TokenTableNames, tokenStore } from './tokens/token-store.ts'
