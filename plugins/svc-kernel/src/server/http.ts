/** Builds the Fastify server of an application, with its modules loaded; it does not listen yet. */
import { fastify as createFastify, type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { AppHost } from '../modules/app-host.ts'
import type { Application } from '../modules/application.ts'
import { loadModules } from '../modules/load-modules.ts'
import { DevLog } from './dev-log.ts'
import { requestSerializer } from './request-serializer.ts'

export interface ServerParts {
  /** How application files are imported; `svc dev` passes its module runner. */
  importModule?: AppHost['importModule']
  /** Replaces the listening server; `svc dev` keeps one server over all reloads. */
  serverFactory?: FastifyServerOptions['serverFactory']
  /** Where human-readable development lines go. Default: a new one on standard output. */
  devLog?: DevLog
}

/** @throws BootError, or what a module threw; the half-built server is closed first. */
export async function createServer(app: Application, parts: ServerParts = {}): Promise<FastifyInstance> {
  const { host: _host, port: _port, closeGraceMs: _closeGraceMs, ...server } = app.config.server ?? {}
  const fastify = createFastify({
    bodyLimit: 1_048_576,
    forceCloseConnections: 'idle',
    ...server,
    ...logging(app, parts),
    ...(parts.serverFactory === undefined ? {} : { serverFactory: parts.serverFactory })
  } as FastifyServerOptions) as unknown as FastifyInstance
  try {
    await loadModules(fastify, app.config, {
      root: app.root,
      configFile: app.configFile,
      importModule: parts.importModule
    })
  } catch (error) {
    await fastify.close()
    throw error
  }
  return fastify
}

/** An application's own logger wins. Development reads lines; production ships JSON. */
function logging({ config }: Application, { devLog }: ServerParts): FastifyServerOptions {
  const { logger, loggerInstance } = config.server ?? {}
  if (logger !== undefined || loggerInstance !== undefined) return {}
  const serializers = { req: requestSerializer }
  if (config.mode === 'development') {
    return {
      logController: new LogController({ disableRequestLogging: true }),
      logger: { level: 'info', serializers, stream: devLog ?? new DevLog() }
    } as FastifyServerOptions
  }
  return { logger: { level: config.mode === 'test' ? 'silent' : 'info', serializers } } as FastifyServerOptions
}
