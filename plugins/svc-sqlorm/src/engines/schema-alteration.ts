/** How an engine changes tables that stand, where engines differ. By name, as everything that does. */
import type { Kysely } from 'kysely'
import type { ReferenceRule } from 'svc-stores/table'
import type { ColumnDefinition, ColumnType, TableReference } from '../schema/table-definition.ts'

/** A foreign key as it is. */
export interface ExistingReference {
  readonly table: string
  readonly column: string
  readonly target: string
  readonly key: string
  /** The first of two columns, which has the same name in both tables. */
  readonly within?: string
  /** `null` for a rule that is none of a plan's. */
  readonly onDelete: ReferenceRule | null
  readonly deferrable: boolean
  /** `null` where the engine does not tell it. */
  readonly name: string | null
}

export interface ColumnChange {
  readonly table: string
  readonly to: ColumnDefinition
  /** The state of the column, where its type stays: it may be null, it has a default. */
  readonly nullable: boolean
  readonly filled: boolean
  /** `to` as `create table` has it. */
  readonly clause: string
  /** The column that holds the values of the new type, and goes; `null` where the type stays. */
  readonly source: string | null
}

export interface KeyedTable {
  readonly table: string
  readonly key: readonly string[]
}

export interface SchemaAlteration {
  hasTable(db: Kysely<unknown>, table: string): Promise<boolean>
  /** Around a run of migrations, outside of its transaction. */
  begin(db: Kysely<unknown>): Promise<void>
  end(db: Kysely<unknown>): Promise<void>
  /** Where they refer to each other, in one step; those that are not there are passed over. */
  dropTables(db: Kysely<unknown>, tables: readonly string[]): Promise<void>
  /** One that is not there is passed over. */
  dropIndex(db: Kysely<unknown>, name: string): Promise<void>
  /** Every foreign key of one column, or of two of which the first has the same name in both tables. */
  references(db: Kysely<unknown>): Promise<readonly ExistingReference[]>
  /** Its rows have their owners. */
  addReference(db: Kysely<unknown>, table: string, reference: TableReference): Promise<void>
  /** @throws BootError SVC_ORM_MIGRATION_STATE for one that was made by hand in its own form */
  dropReference(db: Kysely<unknown>, reference: ExistingReference): Promise<void>
  /** Inside the transaction: what a migration leaves behind holds together. @throws Error */
  check(db: Kysely<unknown>): Promise<void>
  /**
   * Inside the transaction: checks now what a deferrable foreign key leaves for its end, as a table with such checks to
   * come cannot be altered. @throws what the engine says of a row without its owner
   */
  settle(db: Kysely<unknown>): Promise<void>
  /** Its values fit by now. */
  alterColumn(db: Kysely<unknown>, change: ColumnChange): Promise<void>
  /** The columns of a table's primary key, in order. */
  primaryKey(db: Kysely<unknown>, table: string): Promise<readonly string[]>
  /** Sets columns of the rows with these keys. @param rows values, encoded, in the order of the columns, after the key */
  updateRows(
    db: Kysely<unknown>,
    table: KeyedTable,
    columns: readonly { readonly name: string; readonly type: ColumnType }[],
    rows: readonly (readonly unknown[])[]
  ): Promise<void>
}
