/** The HTTP side of a WEBSOCKET-only route: 426, and how to open it (RFC 9110, 15.5.22). */
import type { RouteHandlerMethod } from 'fastify'
import { UpgradeRequired } from '../errors.ts'

export const refusePlainRequest: RouteHandlerMethod = function refusePlainRequest(request, reply) {
  // Setting the header takes the connection out of Node's hands: a client that asked to close must still see it closed.
  reply.header('upgrade', 'websocket').header('connection', reply.raw.shouldKeepAlive ? 'upgrade' : 'upgrade, close')
  throw new UpgradeRequired(request.routeOptions.url ?? '')
}
