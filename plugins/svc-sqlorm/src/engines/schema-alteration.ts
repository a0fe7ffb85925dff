/** How an engine changes tables that stand, where engines differ. By name, as everything that does. */
import type { Kysely } from 'kysely'
import type { ColumnDefinition, ColumnType } from '../schema/table-definition.ts'

export interface ColumnChange {
  readonly table: string
  readonly to: ColumnDefinition
  /** How the column stands, where its type stays: it may be null, it has a default. */
  readonly nullable: boolean
  readonly filled: boolean
  /** `to` as `create table` has it. */
  readonly clause: string
  /** The column that holds the values of the new type, and goes; `null` where the type stays. */
  readonly source: string | null
}

export interface SchemaAlteration {
  hasTable(db: Kysely<unknown>, table: string): Promise<boolean>
  /** Around a run of migrations, outside of its transaction. */
  begin(db: Kysely<unknown>): Promise<void>
  end(db: Kysely<unknown>): Promise<void>
  /** Inside the transaction: what a migration leaves behind holds together. @throws Error */
  check(db: Kysely<unknown>): Promise<void>
  /** Its values fit by now. */
  alterColumn(db: Kysely<unknown>, change: ColumnChange): Promise<void>
  /** Sets columns of the rows with these ids. @param rows values, encoded, in the order of the columns, after the id */
  updateRows(
    db: Kysely<unknown>,
    table: string,
    columns: readonly { readonly name: string; readonly type: ColumnType }[],
    rows: readonly (readonly unknown[])[]
  ): Promise<void>
}
