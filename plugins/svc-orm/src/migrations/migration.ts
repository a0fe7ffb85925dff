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

/** A stored row with the requested columns. For an entity with `key`, `id` is text that the database pages by. */
export type StoredRow = Readonly<Record<string, unknown>> & { readonly id: string }

export interface ColumnData {
  /** The value for rows that have null. Without it and without a default, null stops the migration of a required column. */
  readonly fill?: unknown
}

export interface ConversionData extends ColumnData {
  /** Converts an old value, which is never null. Default: the conversion between the two types. */
  readonly convert?: ((value: unknown) => unknown) | undefined
  /** Between `date` and `day`: the time zone of the days, such as `Europe/Vienna`. A day becomes its first instant. */
  readonly zone?: string | undefined
}

export interface DropData {
  /**
   * For `deletedAt` of an entity that gives up `softDelete`: `remove` deletes its deleted rows, `restore` brings them back.
   * `undefined` refuses the step if there are deleted rows.
   */
  readonly deleted?: 'remove' | 'restore' | undefined
}

/**
 * The steps of a migration. Each call is repeatable: it leaves alone what exists already, such as a column that a boot has
 * added. `up` records what it found, and `down` leaves that as it was. A table or column with the previous name (`was`) is
 * renamed. On SQL, all migrations of a run are one transaction. On documents, each call takes effect when it ends, and an
 * interrupted run continues after it.
 *
 * @throws BootError SVC_ORM_MIGRATION_DATA, SVC_ORM_MIGRATION_STATE
 */
export interface MigrationContext {
  /** `sqlite`, `postgresql` or `mongodb`. */
  readonly vendor: string
  createTable(entity: string, shape: TableShape): Promise<void>
  /** Drops the table with its rows. */
  dropTable(entity: string): Promise<void>
  renameTable(from: string, to: string): Promise<void>
  addColumn(entity: string, column: MigratedColumn, data?: ColumnData): Promise<void>
  /** Drops the column with its values. */
  dropColumn(entity: string, column: string, data?: DropData): Promise<void>
  renameColumn(entity: string, from: string, to: string): Promise<void>
  /**
   * Changes type, nullability or default of a column. A value that does not convert, or that the new column cannot hold,
   * stops the migration before it changes any value.
   */
  changeColumn(entity: string, from: MigratedColumn, to: MigratedColumn, data?: ConversionData): Promise<void>
  addIndex(entity: string, index: MigratedIndex): Promise<void>
  dropIndex(entity: string, index: MigratedIndex): Promise<void>
  /**
   * Adds a foreign key on SQL. Rows that name a missing row, or a row of another scope, stop the migration before it changes
   * anything. On documents, it only checks the rows.
   */
  addReference(entity: string, reference: MigratedReference): Promise<void>
  dropReference(entity: string, reference: MigratedReference): Promise<void>
  /**
   * Reads the rows in batches, by id, and writes the columns that `change` returns; `null` leaves a row alone. On documents,
   * an interrupted run continues after the last complete batch, so `change` may see rows twice.
   *
   * @param columns the columns that `change` reads and returns, without `id`
   */
  eachRow(
    entity: string,
    columns: readonly ColumnPlan[],
    change: (row: StoredRow) => Readonly<Record<string, unknown>> | null
  ): Promise<void>
  /** A step of your own. On documents, it runs again only after an interruption. */
  step(name: string, work: () => Promise<void>): Promise<void>
  /** The transaction itself, a `Kysely`, on SQL; the `Db` of the driver on documents. */
  native<Native>(): Native
}

/** The default export of a migration file: the steps up and down. */
export interface Migration {
  up(migration: MigrationContext): Promise<void>
  /** Without it, the migration cannot be rolled back. */
  down?(migration: MigrationContext): Promise<void>
}

/** Returns the migration with its type. */
export function defineMigration(migration: Migration): Migration {
  return migration
}
