/**
 * `svc-stores/table`: the storage port. Features declare their tables with it and write their stores over it; a driver
 * implements `Database` and `Table`, and nothing else.
 */

export { type MemoryDatabaseParts, memoryDatabase } from './memory/memory-database.ts'
export type { Change } from './table/change.ts'
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
} from './table/condition.ts'
export type { ConnectionHealth, PoolState } from './table/connection-health.ts'
export { copyRow } from './table/copy-row.ts'
export type { ConnectionFacts, Database } from './table/database.ts'
export { assertNotFailed, forgetFailure, runOperation, runWork } from './table/failed-transactions.ts'
export type { IdForm } from './table/id-form.ts'
export { likeMatcher } from './table/like-matcher.ts'
export { maskTarget } from './table/mask-target.ts'
export { changedRow, compareHeld, rowMatcher, rowOrder } from './table/row-matcher.ts'
export { asDuplicate, pageOf, purge, sortIndexes } from './table/store-operations.ts'
export type { Order, PutOptions, Selection, Table } from './table/table.ts'
export {
  type ColumnPlan,
  type ColumnType,
  type IndexColumn,
  type IndexPlan,
  type ItemIndexPlan,
  keyOf,
  recordOf,
  type TablePlan
} from './table/table-plan.ts'
export { ISOLATIONS, type Isolation, type Transaction, type TransactionOptions } from './table/transaction.ts'
export { UuidIds } from './table/uuid-ids.ts'
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
} from './table/where.ts'
export { WriteWatch, type WriteWatchParts } from './table/write-watch.ts'
