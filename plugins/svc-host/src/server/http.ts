/** Builds the Fastify server of an application, with its modules loaded; it does not listen yet. */
import { fastify as createFastify, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { AppHost } from 'svc-kernel'
import { markFormatted } from 'svc-kernel/plugin'
import type { Application } from '../application/application.ts'
import { checkedModules, registerModules } from '../application/load-modules.ts'
import { stopTimes } from '../config/define-config.ts'
import { DevLog } from '../logging/dev-log.ts'
import { logging } from '../logging/logging.ts'
import { requestLogging } from '../logging/request-log.hook.ts'
import { limitConnections } from './limit-connections.ts'
import { answerClientError, frameworkErrors, refuseUnreadable } from './refuse-unreadable.ts'
import { releaseConnections } from './release-connections.ts'
import { requestIds } from './request-ids.ts'
import { knowPlainSchemas } from './schema-check.ts'

/** How often connections are held against `requestTimeout`, in milliseconds. */
export const TIMEOUT_CHECK_MS = 1000

/** How long a request may take to come in, in milliseconds; and its head alone. */
const REQUEST_TIMEOUT_MS = 60_000
const HEADERS_TIMEOUT_MS = 60_000

/** Node looks after slow bodies only where heads may take no longer than whole requests. */
function httpSettings(requestTimeout = REQUEST_TIMEOUT_MS): object {
  const headersTimeout = requestTimeout === 0 ? HEADERS_TIMEOUT_MS : Math.min(HEADERS_TIMEOUT_MS, requestTimeout)
  return { connectionsCheckingInterval: TIMEOUT_CHECK_MS, headersTimeout, requireHostHeader: false }
}

/** What is no list is left to Fastify, which refuses it. */
function withPlainSchemas(ajv: FastifyServerOptions['ajv']): object {
  const plugins = ajv?.plugins ?? []
  return { ...ajv, plugins: Array.isArray(plugins) ? [knowPlainSchemas, ...plugins] : plugins }
}

/** What a runner of applications may replace. */
export interface ServerParts {
  /** How application files are imported; `svc dev` passes its module runner. */
  importModule?: AppHost['importModule']
  /** Replaces the listening server; `svc dev` keeps one server over all reloads. */
  serverFactory?: FastifyServerOptions['serverFactory']
  /** Where human-readable development lines go. Default: a new one on standard output. */
  devLog?: DevLog
  /** The application boots only to be checked: its plugins connect to nothing. Default: false. */
  checkOnly?: boolean
  /** The application boots for one command, beside a server of it that may be running. Default: false. */
  command?: boolean
  /** With `checkOnly`: its databases are to be migrated. Default: false. */
  migrating?: boolean
  /** Jobs run only when they are asked to, as in a test. Default: false. */
  manualJobs?: boolean
}

/**
 * Builds the server of `config.server` and registers the modules. Call `ready()` or `listen()` next.
 *
 * @throws BootError, or what a module threw; the half-built server is closed first.
 */
export async function createServer(app: Application, parts: ServerParts = {}): Promise<FastifyInstance> {
  const modules = await checkedModules(app.config, app.configFile)
  const {
    host: _host,
    port: _port,
    https: _https,
    maxConnections: _most,
    maxConnectionsPerAddress: _mostOfOne,
    closeGraceMs: _graceMs,
    drainDelayMs: _delayMs,
    requestLog: _requestLog,
    ...server
  } = app.config.server ?? {}
  const fastify = createFastify({
    bodyLimit: 1_048_576,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // What comes in on a connection that is about to end is answered, not turned away.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: httpSettings(app.config.server?.requestTimeout),
    frameworkErrors,
    clientErrorHandler: answerClientError,
    genReqId: requestIds(),
    ...requestLogging(app.config),
    ...server,
    ...(server.schemaErrorFormatter === undefined
      ? {}
      : { schemaErrorFormatter: markFormatted(server.schemaErrorFormatter) }),
    ajv: withPlainSchemas(server.ajv),
    ...logging(app.config, () => parts.devLog ?? new DevLog()),
    ...(parts.serverFactory === undefined ? {} : { serverFactory: parts.serverFactory })
  } as FastifyServerOptions) as unknown as FastifyInstance
  // A replaced server belongs to its replacer.
  if (parts.serverFactory === undefined) {
    limitConnections(fastify, app.config.server)
    releaseConnections(fastify, { graceMs: stopTimes(app).graceMs })
  }
  refuseUnreadable(fastify)
  try {
    await registerModules(fastify, app.config, modules, { ...parts, root: app.root })
  } catch (error) {
    await fastify.close()
    throw error
  }
  return fastify
}
