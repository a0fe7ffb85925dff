/** The options of `defineConfig`. Every server key is listed, because Fastify silently ignores unknown keys. */
import type { OptionsSchema } from 'svc-kernel/plugin'
import type { HttpsConfig, ServerConfig } from './config/define-config.ts'

const flag = { type: 'boolean' }
const count = { type: 'integer', minimum: 0 }
const milliseconds = { type: 'integer', minimum: 0, expected: 'milliseconds, a whole number' }
const bytes = { type: 'integer', minimum: 1, expected: 'bytes, a whole number above 0' }
/** A function, a stream, an instance, or a tree that Fastify checks. */
const live = {}

const port = { type: 'integer', minimum: 0, maximum: 65_535, expected: 'a port from 0 to 65535' }
const pemPath = { type: 'string', minLength: 1, expected: 'path of a PEM file' }
const host = { type: 'string', minLength: 1 }

const httpsProperties = {
  host,
  port,
  key: pemPath,
  cert: pemPath,
  ca: { anyOf: [pemPath, { type: 'array', minItems: 1, items: pemPath }] },
  requestCert: flag,
  rejectUnauthorized: flag,
  minVersion: { enum: ['TLSv1.2', 'TLSv1.3'] },
  ciphers: { type: 'string', minLength: 1 }
} satisfies Record<keyof HttpsConfig, object>

/** Every key of `config.server`. The compiler checks that this list and Fastify's are the same. */
export const serverProperties = {
  host,
  port,
  https: {
    anyOf: [{ type: 'boolean' }, { type: 'object', additionalProperties: false, properties: httpsProperties }]
  },
  maxConnections: count,
  maxConnectionsPerAddress: count,
  closeGraceMs: { type: 'integer', minimum: 1, expected: 'milliseconds, a whole number above 0' },
  drainDelayMs: milliseconds,
  requestLog: { enum: ['answers', 'fastify', 'off'] },
  ajv: live,
  allowErrorHandlerOverride: flag,
  allowUnsafeRegex: flag,
  bodyLimit: bytes,
  caseSensitive: flag,
  childLoggerFactory: live,
  clientErrorHandler: live,
  connectionTimeout: milliseconds,
  constraints: live,
  disableRequestLogging: live,
  exposeHeadRoutes: flag,
  forceCloseConnections: { enum: [true, false, 'idle'] },
  frameworkErrors: live,
  genReqId: live,
  handlerTimeout: milliseconds,
  ignoreDuplicateSlashes: flag,
  ignoreTrailingSlash: flag,
  keepAliveTimeout: milliseconds,
  logController: live,
  logger: live,
  loggerInstance: live,
  maxParamLength: count,
  maxRequestsPerSocket: count,
  onConstructorPoisoning: { enum: ['error', 'remove', 'ignore'] },
  onProtoPoisoning: { enum: ['error', 'remove', 'ignore'] },
  pluginTimeout: milliseconds,
  querystringParser: live,
  requestIdHeader: { anyOf: [{ type: 'string' }, { const: false }] },
  requestIdLogLabel: { type: 'string' },
  requestTimeout: milliseconds,
  return503OnClosing: flag,
  rewriteUrl: live,
  routerOptions: live,
  schemaController: live,
  schemaErrorFormatter: live,
  serializerOpts: live,
  trustProxy: live,
  useSemicolonDelimiter: flag
} satisfies Record<keyof ServerConfig, object>

export const configSchema: OptionsSchema = {
  $id: 'svc-host/config',
  type: 'object',
  additionalProperties: false,
  required: ['modules'],
  properties: {
    name: { type: 'string', minLength: 1 },
    mode: { enum: ['development', 'production', 'test'] },
    server: { type: 'object', additionalProperties: false, properties: serverProperties },
    modules: { type: 'array', expected: 'a list of plugins' }
  }
}
