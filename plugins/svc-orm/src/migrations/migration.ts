/**
 * A migration: two functions over a context that every driver has. It speaks of entities by name and of columns as the
 * storage port has them, so that one file runs on SQLite, PostgreSQL and documents.
 */
import type { ColumnPlan, IndexPlan, ReferenceRule } from 'svc-stores/table'

/** An index, with those of its columns that may be null: documents leave rows without a value out of a unique one. */
export interface MigratedIndex extends IndexPlan {
  readonly nullable?: readonly string[]
}

/** A column, with what its field holds. Absent: whatever the column takes. */
export interface MigratedColumn extends ColumnPlan {
  /** Of `text` and `bytes`, and of a type of the application's own: the type of the field. */
  readonly holds?: string
  /** Of an `enum`. */
  readonly values?: readonly string[]
  /** In code points, of bytes in bytes. */
  readonly maxLength?: number
}

/** A column that names a row of another entity. */
export interface MigratedReference {
  readonly column: string
  /** The entity that it names. */
  readonly to: string
  /** A column of both, which has the same value in a row and in the one that it names: the scope. */
  readonly within?: string
  /** What the database itself does: `restrict` also where the repository does what the relation says. */
  readonly onDelete: ReferenceRule
  readonly deferrable?: boolean
  /** Where that entity maps an existing table: its name, and its key there. */
  readonly existing?: { readonly table: string; readonly key: string }
}

/** What a table is made of. */
export interface TableShape {
  /** The name of the entity before: its table is taken over where it is there, and none is made beside it. */
  readonly was?: string
  /** The columns of its primary key. Default: `id`. */
  readonly key?: readonly string[]
  readonly columns: readonly MigratedColumn[]
  readonly indexes?: readonly MigratedIndex[]
}

/** A row as it is stored, by the columns that were asked for. `id`: of an entity with `key`, text that the database pages by. */
export type StoredRow = Readonly<Record<string, unknown>> & { readonly id: string }

export interface ColumnData {
  /** For rows that hold null: a value, the same for all. Without it, and without a default, a required column takes none of them. */
  readonly fill?: unknown
}

export interface ConversionData extends ColumnData {
  /** Makes the new value of the old one, which is never null. Absent: the conversion between the two types. */
  readonly convert?: ((value: unknown) => unknown) | undefined
  /** Between `date` and `day`: the time zone of the days, such as `Europe/Vienna`. A day becomes its first moment. */
  readonly zone?: string | undefined
}

export interface DropData {
  /**
   * Of the `deletedAt` of an entity that keeps its deleted rows no more: `remove` deletes them, `restore` lets them come
   * back. `undefined` refuses rows that are deleted.
   */
  readonly deleted?: 'remove' | 'restore' | undefined
}

/**
 * What a migration does. Each call is repeatable: what is there already as it is to be is left alone, so that a boot may
 * have made it before. What `up` finds so is noted, and `down` leaves it as it was. A table or a column that is there under
 * the name before (`was`) is renamed, and none is made beside it. On SQL all of a run is one transaction; on documents each
 * call takes effect when it ends, and a run that was interrupted continues after it.
 *
 * @throws BootError SVC_ORM_MIGRATION_DATA, SVC_ORM_MIGRATION_STATE
 */
export interface MigrationContext {
  /** `sqlite`, `postgresql` or `mongodb`. */
  readonly vendor: string
  createTable(entity: string, shape: TableShape): Promise<void>
  /** With every row in it. */
  dropTable(entity: string): Promise<void>
  renameTable(from: string, to: string): Promise<void>
  addColumn(entity: string, column: MigratedColumn, data?: ColumnData): Promise<void>
  /** With every value in it. */
  dropColumn(entity: string, column: string, data?: DropData): Promise<void>
  renameColumn(entity: string, from: string, to: string): Promise<void>
  /**
   * Another type, null or default for a column of the same name. A value that does not convert, or that is none of what the
   * column is to hold, stops the migration before a value is changed.
   */
  changeColumn(entity: string, from: MigratedColumn, to: MigratedColumn, data?: ConversionData): Promise<void>
  addIndex(entity: string, index: MigratedIndex): Promise<void>
  dropIndex(entity: string, index: MigratedIndex): Promise<void>
  /**
   * Has the database keep a reference: a foreign key on SQL. Rows whose reference names no row, or one of another scope, stop
   * the migration before anything is changed; on documents that is all it does.
   */
  addReference(entity: string, reference: MigratedReference): Promise<void>
  dropReference(entity: string, reference: MigratedReference): Promise<void>
  /**
   * Goes through the rows in batches, by id. What `change` answers is written; null leaves the row alone. On documents a
   * run that was cut short goes on after the last batch that was written: `change` may see rows of that batch again.
   *
   * @param columns those that `change` reads and answers, without `id`
   */
  eachRow(
    entity: string,
    columns: readonly ColumnPlan[],
    change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
  ): Promise<void>
  /** A step of the migration's own. On documents it runs again only where it was cut short. */
  step(name: string, work: () => Promise<void>): Promise<void>
  /** The transaction itself, a `Kysely`, on SQL; the `Db` of the driver on documents. */
  native<Native>(): Native
}

/** The default export of a migration file: its steps, and the way back. */
export interface Migration {
  up(migration: MigrationContext): Promise<void>
  /** Absent: it cannot be rolled back. */
  down?(migration: MigrationContext): Promise<void>
}

/** Gives the migration back, with its type. */
export function defineMigration(migration: Migration): Migration {
  return migration
}
