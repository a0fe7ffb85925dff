/** The application's error and not-found answers, installed by the module loader on its root. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { NotFound } from '../errors.ts'
import { errorBody } from './error-body.ts'
import { logFailure } from './log-failure.ts'

/** Headers an error may bring along. Any other may belong to somebody else's answer that failed. */
const ERROR_HEADERS = ['allow', 'retry-after', 'upgrade', 'www-authenticate']

/** Comes before the modules: what they encapsulate inherits it. */
export function installErrorHandler(fastify: FastifyInstance, production: boolean): void {
  fastify.setErrorHandler(function answerError(error, request, reply) {
    const body = errorBody(error, production, reply.statusCode >= 400 ? reply.statusCode : 500)
    const isNews = !fastify.hasDecorator('outageLog') || fastify.outageLog.isNews(error)
    if (body.statusCode >= 500 && isNews) logFailure(request.log, error, 'the request failed')
    else request.log.debug({ code: body.code, statusCode: body.statusCode }, body.message)
    bringHeaders(error, reply)
    reply.code(body.statusCode).send(body)
  })
}

function bringHeaders(error: unknown, reply: FastifyReply): void {
  try {
    const { headers } = (error ?? {}) as { headers?: Readonly<Record<string, unknown>> }
    if (typeof headers !== 'object' || headers === null) return
    for (const name of ERROR_HEADERS) {
      const value = headers[name]
      if (typeof value === 'string' || typeof value === 'number') reply.header(name, value)
    }
  } catch {
    // An error object whose getters throw brings nothing along.
  }
}

/** Comes after the modules: one that answers unknown paths itself keeps its own answer. */
export function installNotFoundHandler(fastify: FastifyInstance, production: boolean): void {
  const body = errorBody(new NotFound(), production)
  try {
    fastify.setNotFoundHandler(function answerNotFound(_request, reply) {
      reply.code(body.statusCode).send(body)
    })
  } catch {
    fastify.log.debug('a module answers unknown paths itself')
  }
}
