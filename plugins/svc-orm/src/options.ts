/** The options of svc-orm. Live objects are passed under `parts`, see `SvcOrmParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import type { EntitySource } from './entities/entities.ts'
import type { ScopeReaders } from './scope/caller-scopes.ts'

const secretKey = { type: 'string', minLength: 1, expected: '32 bytes, base64' } as const

export const optionsSchema = {
  $id: 'svc-orm/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Folder of entity files, relative to the application; every file in it is loaded. */
    dir: { type: 'string', minLength: 1, expected: 'a folder' },
    /** Adds the connector `memory` as the default one; it keeps rows in this process, for tests and first steps. */
    memory: { type: 'boolean', default: false },
    /**
     * What happens if the database differs from the entities. `warn` logs each difference. `refuse` fails the boot
     * for differences that break writes or misread values, and logs the others. Without it, `refuse` in production,
     * else `warn`.
     */
    drift: { enum: ['warn', 'refuse'] },
    /** The folder of migrations, and when they run. */
    migrations: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /** Folder of migrations, relative to the application. */
        dir: { type: 'string', minLength: 1, default: 'migrations', expected: 'a folder' },
        /**
         * When migrations run. `boot`: before the databases open; if several instances start, one runs them and the
         * others wait. `command`: only with `npx svc orm:migrate`.
         */
        run: { enum: ['command', 'boot'], default: 'command' }
      }
    },
    /**
     * 32 bytes, base64: encrypts sealed fields. To replace the key, give a list: the first key encrypts, every key
     * decrypts. Without it, an entity with sealed fields ends the boot.
     */
    encryptionKey: { anyOf: [secretKey, { type: 'array', minItems: 1, items: secretKey }] },
    /** Folder of seeds for `npx svc orm:seed`, relative to the application. */
    seeds: { type: 'string', minLength: 1, default: 'seeds', expected: 'a folder' },
    /** The admin API. */
    admin: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /**
         * Shows the rows of entities to administrators with `ROLE_SVC_DATA` and `ROLE_SVC_ADMIN`, read-only; each
         * access is audited.
         */
        rows: { type: 'boolean', default: false },
        /**
         * With `rows`: administrators with `ROLE_SVC_DATA_WRITE` and `ROLE_SVC_ADMIN` create, change and delete rows;
         * each change is audited with the values before and after.
         */
        write: { type: 'boolean', default: false }
      }
    },
    /**
     * Where databases have replicas: requests of a caller read from the primary for this long after the answer to a
     * request that wrote, in milliseconds, as far as the same process serves them. 0: only the request that wrote does.
     */
    stickyMs: { type: 'integer', minimum: 0, maximum: 3_600_000, default: 0 },
    /** Statistics of operations. */
    flow: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /** Counts operations for the admin API. */
        enabled: { type: 'boolean', default: true },
        /** Operations that take this long, in milliseconds, are listed as slow. */
        slowMs: { type: 'number', minimum: 0, default: 100 },
        /**
         * Statements that take this long, in milliseconds, are logged with their text, without values: one line per
         * shape and minute. 0: none.
         */
        slowStatementMs: { type: 'number', minimum: 0, default: 200 }
      }
    }
  }
} as const

/**
 * Options of svc-orm as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcOrmOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type OrmConfig = ConfigOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcOrmParts {
  /** Its timers are those of locks; one that only tells the time uses those of the machine. */
  readonly clock?: Pick<Clock, 'now'> & Partial<Clock>
  /** Entities of this application only, on the default connector, besides those of `@entities`. */
  readonly entities?: readonly EntitySource[]
  /**
   * The scopes of a request by their names: `{ organization: (request) => request.user?.organizationId ?? null }`. Asked
   * once per request, when its first call needs it, and for each call over a WebSocket. `null`: the request has none.
   */
  readonly scopes?: ScopeReaders
}
