/** What an operator may set. Live objects come under `parts`, see `SvcSqlormParts`. */
import type { Clock, OptionsSchema } from 'svc-kernel'

export interface ConnectorOptions {
  /** `sqlite:<path>` (from the application's folder), `sqlite::memory:` or `postgres://user:password@host:5432/database`. */
  readonly url: string
  /** How long a statement waits for its turn or for a connection, in milliseconds; then 503. Default 5000. */
  readonly waitMs?: number
  /** How long a transaction may stay open, in milliseconds; then it is undone, and its caller gets 503. Default 60000. */
  readonly transactionTimeoutMs?: number
  /** PostgreSQL: connections at most. Default 10. */
  readonly poolSize?: number
  /** PostgreSQL: how long one statement may take, in milliseconds; then 503. Default 30000. */
  readonly statementTimeoutMs?: number
  /** SQLite: `full` has a commit on the disk before it is acknowledged; `normal` may lose the last ones with the power. Default `full`. */
  readonly synchronous?: 'full' | 'normal'
}

export interface SvcSqlormOptions {
  /** Databases by the name that repositories ask for; the first is the one of the stores. At least one. */
  readonly connectors: Readonly<Record<string, ConnectorOptions>>
  /** `false`: no store is kept here, repositories alone. Default `true`. */
  readonly frameworkEntities?: boolean
  /** Logs every statement at debug level, without its parameters. Default `false`. */
  readonly debug?: boolean
}

/** Options after the reader: completed with defaults and frozen. */
export interface SqlormConfig {
  readonly connectors: Readonly<Record<string, ConnectorOptions>>
  readonly frameworkEntities: boolean
  readonly debug: boolean
}

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcSqlormParts {
  readonly clock?: Clock
}

export const optionsSchema: OptionsSchema = {
  $id: 'svc-sqlorm/options',
  type: 'object',
  additionalProperties: false,
  required: ['connectors'],
  properties: {
    connectors: {
      type: 'object',
      minProperties: 1,
      propertyNames: {
        pattern: '^[A-Za-z][A-Za-z0-9_-]{0,62}$',
        expected: 'a letter, then letters, digits, _ and -'
      },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['url'],
        properties: {
          url: { type: 'string', minLength: 1 },
          waitMs: {
            type: 'integer',
            minimum: 1,
            maximum: 600_000,
            default: 5000
          },
          transactionTimeoutMs: {
            type: 'integer',
            minimum: 1,
            maximum: 3_600_000,
            default: 60_000
          },
          poolSize: { type: 'integer', minimum: 1, maximum: 1000 },
          statementTimeoutMs: {
            type: 'integer',
            minimum: 1,
            maximum: 3_600_000
          },
          synchronous: { enum: ['full', 'normal'] }
        }
      }
    },
    frameworkEntities: { type: 'boolean', default: true },
    debug: { type: 'boolean', default: false }
  }
}
