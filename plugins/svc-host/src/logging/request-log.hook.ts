/**
 * One line for each request, once it is answered: method, route, status and duration, beside the id of the request. No
 * path, query, address or user: they may be secret or personal. Who did what is in the journal of svc-audit, under the
 * same id and with its own retention.
 */
import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import type {} from 'svc-kernel'
import type { RequestLogChoice, SvcConfig } from '../config/define-config.ts'
import { readsDevLog } from './logging.ts'
import { maskUrl } from './request-serializer.ts'

/** Each line that a request leaves names its method and URL: for the log of development, which has no line per request. */
const namedRequests: NonNullable<FastifyServerOptions['childLoggerFactory']> = (
  logger,
  bindings,
  options,
  { method, url = '' }
) => logger.child({ ...bindings, method, url: maskUrl(url) }, options)

class OneLine extends LogController {
  override incomingRequest(): void {
    // It is logged once it is answered.
  }

  override routeNotFound(): void {
    // The line of the answer says it, without the path.
  }

  override defaultErrorLog(error: Error, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.statusCode >= 500) super.defaultErrorLog(error, request, reply)
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { config, url } = request.routeOptions
    const failed = (error ?? null) !== null
    if (config?.requestLog === 'failures' && !failed && reply.statusCode < 500) return
    const line = {
      method: request.method,
      route: url ?? null,
      statusCode: reply.statusCode,
      responseTime: Math.round(reply.elapsedTime * 10) / 10
    }
    if (failed) reply.log.error({ ...line, err: error }, 'request errored')
    else reply.log.info(line, 'request completed')
  }
}

const CONTROLLERS: Readonly<Record<RequestLogChoice, () => LogController>> = {
  answers: () => new OneLine(),
  fastify: () => new LogController(),
  off: () => new LogController({ disableRequestLogging: true })
}

/** What an application says of Fastify's own options about this wins. */
export function requestLogging(config: SvcConfig): FastifyServerOptions {
  const { server = {} } = config
  const dev = readsDevLog(config)
  const naming = dev ? { childLoggerFactory: namedRequests } : {}
  const { requestLog = dev ? 'off' : 'answers' } = server
  const isOwn = [server.logController, server.disableRequestLogging, server.requestIdLogLabel].some(
    (given) => given !== undefined
  )
  return isOwn && server.requestLog === undefined ? naming : { ...naming, logController: CONTROLLERS[requestLog]() }
}
