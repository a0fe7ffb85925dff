/** What an operator may set. Live objects come under `parts`. */
import type { Clock, OptionsSchema } from 'svc-kernel'

export interface ConnectorOptions {
  /** `mongodb://` or `mongodb+srv://`; wins over `host` and `port`. May hold credentials: they are never shown. */
  readonly uri?: string
  readonly host?: string
  readonly port?: number
  /** Database; one that `uri` names wins. */
  readonly database?: string
  /** The engine of svc-docdb-embedded inside this process, instead of a server. Refused in production. */
  readonly embedded?: boolean
  /** File of the embedded engine, from the application's folder; without one it keeps everything in memory. */
  readonly file?: string
  /** How long an operation waits for a server that can take it, in ms. */
  readonly selectionTimeoutMs?: number
  /** Connections at most. */
  readonly maxPoolSize?: number
}

export interface SvcDocdbOptions {
  /** By name; the first is the primary one. Default: `svc`, on localhost:27017, database `svc`. */
  readonly connectors?: Readonly<Record<string, ConnectorOptions>>
  /** Logs each operation at debug level: collection, method and sizes, never values. Default false. */
  readonly debug?: boolean
  /** `false`: a pure data driver, without the framework's collections and stores. Default true. */
  readonly frameworkEntities?: boolean
}

export interface ConnectorConfig extends ConnectorOptions {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly embedded: boolean
  readonly selectionTimeoutMs: number
  readonly maxPoolSize: number
}

/** Options after the reader: completed with defaults and frozen. */
export interface DocdbConfig {
  readonly connectors: Readonly<Record<string, ConnectorConfig>>
  readonly debug: boolean
  readonly frameworkEntities: boolean
}

/** Live objects an application may supply. */
export interface SvcDocdbParts {
  readonly clock?: Clock
}

export const optionsSchema: OptionsSchema = {
  $id: 'svc-docdb/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    connectors: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[a-z][a-z0-9_-]{0,62}$' },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          uri: { type: 'string', pattern: '^mongodb(?:\\+srv)?://\\S+$' },
          host: { type: 'string', minLength: 1, default: 'localhost' },
          port: { type: 'integer', minimum: 1, maximum: 65_535, default: 27_017 },
          database: { type: 'string', pattern: '^[^/\\\\. "$*<>:|?]{1,63}$', default: 'svc' },
          embedded: { type: 'boolean', default: false },
          file: { type: 'string', minLength: 1 },
          selectionTimeoutMs: { type: 'integer', minimum: 100, maximum: 120_000, default: 5000 },
          maxPoolSize: { type: 'integer', minimum: 1, maximum: 10_000, default: 100 }
        }
      },
      default: { svc: {} }
    },
    debug: { type: 'boolean', default: false },
    frameworkEntities: { type: 'boolean', default: true }
  }
}
