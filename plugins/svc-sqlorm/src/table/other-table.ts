/** Another table, as the conditions of one look at it. */
import type { RawBuilder } from 'kysely'
import type { Condition, Order } from 'svc-stores/table'
import type { TableColumn } from './table-columns.ts'

type Sql = RawBuilder<unknown>

/** What conditions of another table are as SQL. */
export interface OtherTable {
  column(name: string): TableColumn
  /** No two rows can match. */
  isSingle(conditions: readonly Condition[]): boolean
  shape(conditions: readonly Condition[]): string
  allOf(conditions: readonly Condition[], table: string): Sql
  parameters(conditions: readonly Condition[]): unknown[]
  /** `order by` of its columns. */
  ordered(order: Order, table: string): Sql
}
