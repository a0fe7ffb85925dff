/**
 * The Fastify handler of a controller method. A value is sent as Fastify sends
 * it; nothing (`undefined`) is answered with 204, or with the status the
 * controller set. Whoever answers later returns the reply, as in Fastify.
 */
import type { FastifyReply, RouteHandlerMethod } from 'fastify'
import type { Invocation } from '../compile/endpoint.ts'
import { httpReader } from './argument-readers.ts'
import { compileExecutor } from './compile-executor.ts'
import { pendingOf } from './pending-of.ts'

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
