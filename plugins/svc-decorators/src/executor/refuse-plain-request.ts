/** The HTTP side of a WEBSOCKET-only route: 426, and how to open it (RFC 9110, 15.5.22). */
import type { RouteHandlerMethod } from 'fastify'
import { UpgradeRequired } from '../errors.ts'

export const refusePlainRequest: RouteHandlerMethod = function refusePlainRequest(request, reply) {
  reply.header('upgrade', 'websocket').header('connection', 'upgrade')
  throw new UpgradeRequired(request.routeOptions.url ?? '')
}
