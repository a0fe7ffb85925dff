/**
 * The Fastify handler of a controller method. A value is sent as Fastify sends
 * it; nothing (`undefined`) is answered with 204, or with the status the
 * controller set. Whoever answers later returns the reply, as in Fastify.
 */
import type { FastifyReply, RouteHandlerMethod } from 'fastify'
import type { Invocation } from '../compile/endpoint.ts'
import { UpgradeRequired } from '../errors.ts'
import { httpReader } from './argument-readers.ts'
import { compileExecutor, pendingOf } from './compile-executor.ts'

export function httpHandler(invocation: Invocation): RouteHandlerMethod {
  const execute = compileExecutor(
    invocation,
    invocation.parameters.map(httpReader),
    (request, reply: FastifyReply) => ({ transport: 'HTTP', request, reply })
  )

  return function handle(request, reply) {
    const result = execute(this, request, reply)
    if (result === undefined) {
      if (!reply.sent) prepareEmpty(reply).send()
      return undefined
    }
    if (result === reply) return result
    const pending = pendingOf(result)
    return pending === null ? result : pending.then((value) => settle(value, reply))
  }
}

/** Fastify sends an empty body for a promise of `undefined`; only the status is ours to set. */
function settle(value: unknown, reply: FastifyReply): unknown {
  if (value === undefined && !reply.sent) prepareEmpty(reply)
  return value
}

function prepareEmpty(reply: FastifyReply): FastifyReply {
  return reply.statusCode === 200 && !reply.raw.headersSent ? reply.code(204) : reply
}

/** The HTTP side of a WEBSOCKET-only route: 426, and how to open it (RFC 9110, 15.5.22). */
export const refusePlainRequest: RouteHandlerMethod = function refusePlainRequest(request, reply) {
  // Setting the header takes the connection out of Node's hands: a client that asked to close must still see it closed.
  reply.header('upgrade', 'websocket').header('connection', reply.raw.shouldKeepAlive ? 'upgrade' : 'upgrade, close')
  throw new UpgradeRequired(request.routeOptions.url ?? '')
}
