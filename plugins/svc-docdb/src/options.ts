/** The options of svc-docdb. Live objects are passed under `parts`. */
import type { Mongoose } from 'mongoose'
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'

const connector = {
  type: 'object',
  additionalProperties: false,
  properties: {
    /**
     * `mongodb://` or `mongodb+srv://`; takes precedence over `host` and `port`. May contain credentials, which are
     * never shown.
     */
    uri: { type: 'string', pattern: '^mongodb(?:\\+srv)?://\\S+$' },
    /** Host of the server. */
    host: { type: 'string', minLength: 1, default: 'localhost' },
    /** Port of the server. */
    port: { type: 'integer', minimum: 1, maximum: 65_535, default: 27_017 },
    /** Name of the database; a name in `uri` takes precedence. */
    database: { type: 'string', pattern: '^[^/\\\\. "$*<>:|?]{1,63}$', default: 'svc' },
    /** Runs the engine of svc-docdb-embedded inside the process instead of a server; refused in production. */
    embedded: { type: 'boolean', default: false },
    /** File of the embedded engine, relative to the application. Without it, data is stored in memory. */
    file: { type: 'string', minLength: 1 },
    /** How long an operation waits for an available server, in milliseconds; then 503. */
    selectionTimeoutMs: { type: 'integer', minimum: 100, maximum: 120_000, default: 5000 },
    /**
     * Maximum number of connections. Operations and open transactions use nine tenths of them at once; the others are for
     * native access.
     */
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
    /** `false` keeps no stores and collections of svc in this database, only your entities. */
    frameworkEntities: { type: 'boolean', default: true }
  }
} as const

/**
 * Options of svc-docdb as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcDocdbOptions = OptionsOf<typeof optionsSchema>
/** One connection under `connectors`. */
export type ConnectorOptions = OptionsOf<typeof connector>

/** The checked options, with defaults, frozen. */
export type DocdbConfig = ConfigOf<typeof optionsSchema>
export type ConnectorConfig = ConfigOf<typeof connector>

/** Live objects that you may pass. */
export interface SvcDocdbParts {
  readonly clock?: Clock
  /**
   * Your Mongoose. From `onReady` until the application closes, its default connection, and so every
   * `mongoose.model()`, uses the client of the primary connector.
   */
  readonly mongoose?: Mongoose
}
