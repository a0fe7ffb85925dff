/**
 * How a server logs. An application's own settings win; else development reads
 * one calm line per event, production ships JSON, and a test is silent. Secrets
 * in query strings are masked unless the application serialises requests itself.
 */
import type { FastifyServerOptions } from 'fastify'
import type { SvcConfig } from '../config/define-config.ts'
import type { DevLog } from './dev-log.ts'
import { requestSerializer } from './request-serializer.ts'

/** True where the lines of the log are for a person, and the banner with them. */
export function readsDevLog({ mode, server = {} }: SvcConfig): boolean {
  return mode === 'development' && server.logger === undefined && server.loggerInstance === undefined
}

/** @param devLog called where `readsDevLog` */
export function logging(config: SvcConfig, devLog: () => DevLog): Pick<FastifyServerOptions, 'logger'> {
  const { mode, server = {} } = config
  const serializers = { req: requestSerializer }
  if (server.loggerInstance !== undefined || server.logger === false) return {}
  if (server.logger !== undefined) return { logger: withSerializers(server.logger, serializers) }
  if (readsDevLog(config)) return { logger: { level: 'info', serializers, stream: devLog() } }
  return { logger: { level: mode === 'test' ? 'silent' : 'info', serializers } }
}

function withSerializers(
  given: NonNullable<FastifyServerOptions['logger']>,
  serializers: { req: typeof requestSerializer }
): NonNullable<FastifyServerOptions['logger']> {
  if (typeof given !== 'object') return { serializers }
  // A logger given in place of its settings is refused by Fastify in its own words.
  if ('child' in given) return given
  return { ...given, serializers: { ...serializers, ...given.serializers } }
}
