/** What a driver has to offer for migrations. Files, their order and their checksums are svc-orm's own. */
import type { SchemaPort } from '../schema/drift.ts'
import type { MigrationContext } from './migration.ts'

export interface LoadedMigration {
  /** Of its file, without the extension: `20260102030405_add_sku`. Migrations run in the order of their names. */
  readonly name: string
  /** SHA-256 of the file, hexadecimal. */
  readonly checksum: string
  readonly up: (context: MigrationContext) => Promise<void>
  readonly down: ((context: MigrationContext) => Promise<void>) | null
}

export interface ExecutedMigration {
  readonly name: string
  /** Of the file as it ran. */
  readonly checksum: string
  readonly executedAt: Date
  /** Documents: it was cut short, and goes on with the next run. */
  readonly unfinished?: boolean
}

/** What a driver runs on one connector: which migrations, in which direction, under the lock. */
export interface MigrationRun {
  /** All that there are, in order. */
  readonly migrations: readonly LoadedMigration[]
  readonly direction: 'up' | 'down'
  /** How many at most. */
  readonly steps: number
  /** Looked at under the lock, before anything runs. @throws where what ran does not fit the files */
  readonly check: (executed: readonly ExecutedMigration[]) => void
  /**
   * Absent: it is carried out. Else everything is rolled back, and it gets each statement; on SQL it is carried out in a
   * transaction that is undone.
   */
  readonly preview?: (statement: string) => void
  /** Of what goes on for long: rows done so far. */
  readonly progress?: (text: string) => void
  /** What goes on, each time that changes: the step, or that another instance migrates. */
  readonly at?: (what: string) => void
  /** Of a way back that is previewed: what it would delete. */
  readonly losing?: (loss: Loss) => void
}

/** Rows of an entity, or values of a column, that a way back deletes. */
export interface Loss {
  readonly entity: string
  /** `null`: the rows themselves. */
  readonly column: string | null
  /** `null`: they cannot be counted, as the migration has work of its own. */
  readonly rows: number | null
}

export interface MigrationPort {
  /** Those that ran on this database, the oldest first. @throws ConnectionUnavailable */
  executed(): Promise<readonly ExecutedMigration[]>
  /**
   * Runs what has not run yet, or undoes what ran last. Of instances that begin at once one runs them, and the others
   * wait for it and find nothing left to do.
   *
   * @returns names, in the order in which they ran @throws BootError SVC_ORM_MIGRATION_FAILED and those of a context
   */
  run(run: MigrationRun): Promise<readonly string[]>
  /** Rows of an entity that hold a value in this column. @throws ConnectionUnavailable */
  count(entity: string, column: string): Promise<number>
}

/** A connector, as far as migrations know it. */
export interface MigratedConnector {
  readonly name: string
  readonly vendor: string
  readonly schema?: SchemaPort
  readonly migrations?: MigrationPort
}
