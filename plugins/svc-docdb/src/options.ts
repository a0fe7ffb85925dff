/** What an operator may set. Live objects come under `parts`. */
import type { Mongoose } from 'mongoose'
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'

const connector = {
  type: 'object',
  additionalProperties: false,
  properties: {
    /** `mongodb://` or `mongodb+srv://`; wins over `host` and `port`. May hold credentials: they are never shown. */
    uri: { type: 'string', pattern: '^mongodb(?:\\+srv)?://\\S+$' },
    /** Host of the server. */
    host: { type: 'string', minLength: 1, default: 'localhost' },
    /** Its port. */
    port: { type: 'integer', minimum: 1, maximum: 65_535, default: 27_017 },
    /** Database; one that `uri` names wins. */
    database: { type: 'string', pattern: '^[^/\\\\. "$*<>:|?]{1,63}$', default: 'svc' },
    /** The engine of svc-docdb-embedded inside the process, instead of a server; refused in production. */
    embedded: { type: 'boolean', default: false },
    /** File of the embedded engine, from the application's folder. Without it, everything is in memory. */
    file: { type: 'string', minLength: 1 },
    /** How long an operation waits for a server that can take it, in milliseconds; then 503. */
    selectionTimeoutMs: { type: 'integer', minimum: 100, maximum: 120_000, default: 5000 },
    /** Connections at most. */
    maxPoolSize: { type: 'integer', minimum: 1, maximum: 10_000, default: 100 }
  }
} as const

export const optionsSchema = {
  $id: 'svc-docdb/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** By name; the first is the primary one. Without them: `svc`, on localhost:27017, database `svc`. */
    connectors: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[a-z][a-z0-9_-]{0,62}$' },
      additionalProperties: connector,
      default: { svc: {} }
    },
    /** Logs each command at debug level: collection, duration, outcome, never a value. */
    debug: { type: 'boolean', default: false },
    /** `false`: a pure data driver, without the framework's collections and stores. */
    frameworkEntities: { type: 'boolean', default: true }
  }
} as const

export type SvcDocdbOptions = OptionsOf<typeof optionsSchema>
export type ConnectorOptions = OptionsOf<typeof connector>

/** Options after the reader: completed with defaults and frozen. */
export type DocdbConfig = ConfigOf<typeof optionsSchema>
export type ConnectorConfig = ConfigOf<typeof connector>

/** Live objects an application may supply. */
export interface SvcDocdbParts {
  readonly clock?: Clock
  /**
   * The Mongoose of the application: its default connection, and so each model of `mongoose.model()`, is on the client
   * of the primary connector from `onReady` until the application closes.
   */
  readonly mongoose?: Mongoose
}
