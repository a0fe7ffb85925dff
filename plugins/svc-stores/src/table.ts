/**
 * `svc-stores/table`: the storage port. Features declare their tables with it and write their stores over it; a driver
 * implements `Database` and `Table`, and nothing else.
 */
export { type MemoryDatabaseParts, memoryDatabase } from './memory/memory-database.ts'
export { copyRow, hasOnlyStorableText, isRecord } from './records/record-values.ts'
export { type Change, changedRow } from './table/change.ts'
export * from './table/condition.ts'
export * from './table/connection-record.ts'
export * from './table/database.ts'
export * from './table/grouping.ts'
export * from './table/ids.ts'
export * from './table/joined-lookup.ts'
export * from './table/like-matcher.ts'
export * from './table/mask-target.ts'
export * from './table/operators.ts'
export { relatedConditions, resolveRelated } from './table/related-conditions.ts'
export { compareHeld, type RowsOf, rowMatcher, rowOrder } from './table/row-matcher.ts'
export * from './table/store-operations.ts'
export * from './table/table.ts'
export * from './table/table-plan.ts'
export * from './table/transaction.ts'
export { columnOf, conditionsOf, type Test, type Where } from './table/where.ts'
export * from './table/write-watch.ts'
