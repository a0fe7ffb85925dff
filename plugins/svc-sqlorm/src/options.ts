/** The options of svc-sqlorm. Live objects are passed under `parts`, see `SvcSqlormParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-sqlorm/options',
  type: 'object',
  additionalProperties: false,
  required: ['connectors'],
  properties: {
    /** Databases by connector name; the first one keeps the stores. At least one. */
    connectors: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,62}$', expected: 'a letter, then letters, digits, _ and -' },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['url'],
        properties: {
          /**
           * `sqlite:<path>` (relative to the application), `sqlite::memory:` or
           * `postgres://user:password@host:5432/database`.
           */
          url: { type: 'string', minLength: 1 },
          /** How long a statement waits for a lock or a connection, in milliseconds; then 503. */
          waitMs: { type: 'integer', minimum: 1, maximum: 600_000, default: 5000 },
          /** Longest time of a transaction, in milliseconds; then it is rolled back with 503. */
          transactionTimeoutMs: { type: 'integer', minimum: 1, maximum: 3_600_000, default: 60_000 },
          /** PostgreSQL: maximum number of connections. Without it, 10. */
          poolSize: { type: 'integer', minimum: 1, maximum: 1000 },
          /** PostgreSQL: longest time of a statement, in milliseconds; then 503. Without it, 30000. */
          statementTimeoutMs: { type: 'integer', minimum: 1, maximum: 3_600_000 },
          /**
           * PostgreSQL: makes policies of row-level security on the tables of entities with a scope, a second fence
           * beside the conditions of repositories. The role must not be a superuser. Without it, none.
           */
          rowSecurity: { type: 'boolean' },
          /**
           * SQLite: `full`, the default, writes every commit to the disk before it returns; `normal` may lose the
           * last commits in a power failure.
           */
          synchronous: { enum: ['full', 'normal'] }
        }
      }
    },
    /** `false` keeps no stores of svc in this database, only your entities. */
    frameworkEntities: { type: 'boolean', default: true },
    /** Logs every statement at debug level, without its parameters. */
    debug: { type: 'boolean', default: false }
  }
} as const

/**
 * Options of svc-sqlorm as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcSqlormOptions = OptionsOf<typeof optionsSchema>
/** One database under `connectors`. */
export type ConnectorOptions = SvcSqlormOptions['connectors'][string]

/** The checked options, with defaults, frozen. */
export type SqlormConfig = ConfigOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcSqlormParts {
  readonly clock?: Clock
}
