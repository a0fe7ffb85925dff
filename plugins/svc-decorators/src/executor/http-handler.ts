/**
 * The Fastify handler of a controller method. It sends a value as Fastify does. For `undefined` it answers 204, or the
 * status that the controller set. To answer later, return the reply, as in Fastify.
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

/** Fastify sends an empty body for a promise of `undefined`; this only sets the status. */
function settle(value: unknown, reply: FastifyReply): unknown {
  if (value === undefined && !reply.sent) prepareEmpty(reply)
  return value
}

function prepareEmpty(reply: FastifyReply): FastifyReply {
  return reply.statusCode === 200 && !reply.raw.headersSent ? reply.code(204) : reply
}

/** Answers HTTP requests to a WebSocket-only route with 426, and says how to connect (RFC 9110, 15.5.22). */
export const refusePlainRequest: RouteHandlerMethod = function refusePlainRequest(request, reply) {
  // This header takes the connection out of Node's control, so a client that asked to close must still get it closed.
  reply.header('upgrade', 'websocket').header('connection', reply.raw.shouldKeepAlive ? 'upgrade' : 'upgrade, close')
  throw new UpgradeRequired(request.routeOptions.url ?? '')
}
