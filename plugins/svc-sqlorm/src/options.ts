/** What an operator may set. Live objects come under `parts`, see `SvcSqlormParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'

export const optionsSchema = {
  $id: 'svc-sqlorm/options',
  type: 'object',
  additionalProperties: false,
  required: ['connectors'],
  properties: {
    /** Databases by the name that repositories ask for; the first is the one of the stores. At least one. */
    connectors: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,62}$', expected: 'a letter, then letters, digits, _ and -' },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['url'],
        properties: {
          /** `sqlite:<path>` (from the application's folder), `sqlite::memory:` or `postgres://user:password@host:5432/database`. */
          url: { type: 'string', minLength: 1 },
          /** How long a statement waits for its turn or for a connection, in milliseconds; then 503. */
          waitMs: { type: 'integer', minimum: 1, maximum: 600_000, default: 5000 },
          /** How long a transaction may stay open, in milliseconds; then it is undone, and its caller gets 503. */
          transactionTimeoutMs: { type: 'integer', minimum: 1, maximum: 3_600_000, default: 60_000 },
          /** PostgreSQL: connections at most. Without it, 10. */
          poolSize: { type: 'integer', minimum: 1, maximum: 1000 },
          /** PostgreSQL: how long one statement may take, in milliseconds; then 503. Without it, 30000. */
          statementTimeoutMs: { type: 'integer', minimum: 1, maximum: 3_600_000 },
          /**
           * SQLite: `full`, as without it, has a commit on the disk before it is acknowledged; `normal` may lose the
           * last ones when the power fails.
           */
          synchronous: { enum: ['full', 'normal'] }
        }
      }
    },
    /** `false`: only repositories, no store is kept here. */
    frameworkEntities: { type: 'boolean', default: true },
    /** Logs every statement at debug level, without its parameters. */
    debug: { type: 'boolean', default: false }
  }
} as const

export type SvcSqlormOptions = OptionsOf<typeof optionsSchema>
export type ConnectorOptions = SvcSqlormOptions['connectors'][string]

/** Options after the reader: completed with defaults and frozen. */
export type SqlormConfig = ConfigOf<typeof optionsSchema>

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcSqlormParts {
  readonly clock?: Clock
}
