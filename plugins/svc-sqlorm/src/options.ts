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
          /**
           * How long a statement waits in milliseconds, on SQLite for the lock of another writer, on PostgreSQL for a
           * connection of the pool; then 503.
           */
          waitMs: { type: 'integer', minimum: 1, maximum: 600_000, default: 5000 },
          /** Longest time of a transaction, in milliseconds; then it is rolled back with 503. */
          transactionTimeoutMs: { type: 'integer', minimum: 1, maximum: 3_600_000, default: 60_000 },
          /**
           * PostgreSQL: URLs of standbys that answer reads of repositories outside of transactions, until the request
           * writes. They take turns, and each has a pool as the primary has.
           */
          replicas: { type: 'array', minItems: 1, maxItems: 16, items: { type: 'string', minLength: 1 } },
          /**
           * PostgreSQL: a replica that lags further behind than this, in milliseconds, gets no reads. Without it, however
           * far it lags.
           */
          maxLagMs: { type: 'integer', minimum: 1, maximum: 86_400_000 },
          /** PostgreSQL: maximum number of connections. Without it, 10. */
          poolSize: { type: 'integer', minimum: 1, maximum: 1000 },
          /** PostgreSQL: number of idle connections that stay open. Without it, 0. */
          poolMin: { type: 'integer', minimum: 0, maximum: 1000 },
          /** PostgreSQL: idle connections above `poolMin` close after this time, in milliseconds. Without it, 10000. */
          idleTimeoutMs: { type: 'integer', minimum: 1, maximum: 3_600_000 },
          /**
           * PostgreSQL: a connection is replaced after this time, in seconds, as soon as it is idle. Set it behind a
           * balancer of databases. Without it, never.
           */
          maxLifetimeS: { type: 'integer', minimum: 1, maximum: 604_800 },
          /** PostgreSQL: longest time of a statement, in milliseconds; then 503. Without it, 30000. */
          statementTimeoutMs: { type: 'integer', minimum: 1, maximum: 3_600_000 },
          /** PostgreSQL: longest wait of a statement for a lock, in milliseconds; then 503. Without it, `statementTimeoutMs`. */
          lockTimeoutMs: { type: 'integer', minimum: 1, maximum: 3_600_000 },
          /**
           * PostgreSQL: the server ends a transaction that waits this long for its next statement, in milliseconds, also
           * if the process hangs; then 503. Without it, `transactionTimeoutMs` of the process alone.
           */
          idleInTransactionTimeoutMs: { type: 'integer', minimum: 1, maximum: 3_600_000 },
          /** PostgreSQL: keeps idle connections alive in networks that forget them. Without it, `true`. */
          keepAlive: { type: 'boolean' },
          /** PostgreSQL: the name that the server shows beside the connections. Without it, that of the application. */
          applicationName: { type: 'string', minLength: 1, maxLength: 63 },
          /**
           * PostgreSQL: `false` names no prepared statements, for poolers that keep none: PgBouncer before 1.21 in
           * transaction mode, RDS Proxy. Without it, `true`.
           */
          prepare: { type: 'boolean' },
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
