/** What an operator may set. Live objects come under `parts`, see `SvcOrmParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import type { EntitySource } from './entities/entities.ts'

export const optionsSchema = {
  $id: 'svc-orm/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Folder of entity files, relative to the application; every file in it is loaded. */
    dir: { type: 'string', minLength: 1, expected: 'a folder' },
    /** Adds a connector `memory` that keeps rows in this process, for tests and first steps; it is then the default one. */
    memory: { type: 'boolean', default: false },
    /**
     * A database that differs from the entities: `warn` logs each difference; `refuse` ends the boot where one breaks
     * writes or misreads values, and logs the others. Without it, `refuse` in production, else `warn`.
     */
    drift: { enum: ['warn', 'refuse'] },
    /** Where migrations lie, and when they run. */
    migrations: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /** Their folder, relative to the application. */
        dir: { type: 'string', minLength: 1, default: 'migrations', expected: 'a folder' },
        /**
         * `boot`: before the databases open, for as long as that takes; of several instances that start at once, one runs
         * them and the others wait.
         * `command`: by `svc orm:migrate` only.
         */
        run: { enum: ['command', 'boot'], default: 'command' }
      }
    },
    /** Folder of seeds for `svc orm:seed`, relative to the application. */
    seeds: { type: 'string', minLength: 1, default: 'seeds', expected: 'a folder' },
    /** The views for administrators. */
    admin: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /** Shows the rows of entities, read-only, to administrators who also have `ROLE_SVC_DATA`; each look is audited. */
        rows: { type: 'boolean', default: false }
      }
    },
    /** The statistics of operations. */
    flow: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /** Counts operations for the admin plane. */
        enabled: { type: 'boolean', default: true },
        /** An operation that takes as long, in milliseconds, is listed as slow. */
        slowMs: { type: 'number', minimum: 0, default: 100 }
      }
    }
  }
} as const

export type SvcOrmOptions = OptionsOf<typeof optionsSchema>

/** Options after the reader: completed with defaults and frozen. */
export type OrmConfig = ConfigOf<typeof optionsSchema>

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcOrmParts {
  readonly clock?: Pick<Clock, 'now'>
  /** Entities of this application only, on the default connector, besides those declared with `@entities`. */
  readonly entities?: readonly EntitySource[]
}
