/** A driver, as the suites of migrations know it. */
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { EntityRepositories, OrmConnector } from '../repository/entity-repositories.ts'

export interface MigrationSubject {
  /** How many pairs of versions. */
  readonly runs: number
  /** Empties the database: no table is left, and nothing ran. */
  readonly empty: () => Promise<void>
  /** Not opened: nothing is made in the database. */
  readonly connector: () => Promise<{ readonly connector: OrmConnector; close(): Promise<void> }>
  readonly open: (
    entities: readonly CompiledEntity[]
  ) => Promise<{ readonly repositories: EntityRepositories; close(): Promise<void> }>
  /** The tables, without those of the migrations. */
  readonly schema: () => Promise<unknown>
  /** Whether a migration that is stopped leaves everything as it was. */
  readonly atomic: boolean
  /** `false` for a driver without `Database.search`. Default `true`. */
  readonly search?: boolean | undefined
}
