/**
 * How a server logs. An application's own logger wins; else development reads
 * one calm line per event, production ships JSON, and a test is silent.
 */
import type { FastifyServerOptions } from 'fastify'
import type { SvcConfig } from '../modules/define-config.ts'
import type { DevLog } from './dev-log.ts'
import { requestSerializer } from './request-serializer.ts'

/** True where the lines of the log are for a person, and the banner with them. */
export function readsDevLog({ mode, server = {} }: SvcConfig): boolean {
  return mode === 'development' && server.logger === undefined && server.loggerInstance === undefined
}

/** @param devLog called where `readsDevLog` */
export function logging(config: SvcConfig, devLog: () => DevLog): Pick<FastifyServerOptions, 'logger'> {
  const { mode, server = {} } = config
  if (server.logger !== undefined || server.loggerInstance !== undefined) return {}
  const serializers = { req: requestSerializer }
  if (readsDevLog(config)) return { logger: { level: 'info', serializers, stream: devLog() } }
  return { logger: { level: mode === 'test' ? 'silent' : 'info', serializers } }
}
