/**
 * `svc-stores/table`: the storage port. Features declare their tables with it and write their stores over it; a driver
 * implements `Database` and `Table`, and nothing else.
 */

export { type MemoryDatabaseParts, memoryDatabase } from '../memory/memory-database.ts'
export type { Change } from './change.ts'
export {
  type AfterCondition,
  type AnyCondition,
  type ColumnCondition,
  type Condition,
  type ConditionValue,
  fold,
  type ItemCondition,
  type LikeCondition,
  type ListCondition,
  NOTHING,
  type NullCondition,
  type SortKey,
  type TextCondition,
  type ValueCondition
} from './condition.ts'
export type { ConnectionHealth, PoolState } from './connection-health.ts'
export { copyRow } from './copy-row.ts'
export type { ConnectionFacts, Database } from './database.ts'
export { assertNotFailed, forgetFailure, runOperation, runWork } from './failed-transactions.ts'
export type { IdForm } from './id-form.ts'
export { likeMatcher } from './like-matcher.ts'
export { maskTarget } from './mask-target.ts'
export { changedRow, compareHeld, rowMatcher, rowOrder } from './row-matcher.ts'
export { asDuplicate, pageOf, purge, sortIndexes } from './store-operations.ts'
export type { Order, PutOptions, Selection, Table } from './table.ts'
export {
  type ColumnPlan,
  type ColumnType,
  type IndexColumn,
  type IndexPlan,
  type ItemIndexPlan,
  keyOf,
  recordOf,
  type TablePlan
} from './table-plan.ts'
export { ISOLATIONS, type Isolation, type Transaction, type TransactionOptions } from './transaction.ts'
export { UuidIds } from './uuid-ids.ts'
export {
  above,
  after,
  all,
  any,
  atLeast,
  atMost,
  below,
  columnOf,
  conditionsOf,
  containing,
  given,
  held,
  holding,
  holdingItem,
  isNull,
  lackingItem,
  not,
  oneOf,
  startingWith,
  type Test,
  type Where
} from './where.ts'
export { WriteWatch, type WriteWatchParts } from './write-watch.ts'
