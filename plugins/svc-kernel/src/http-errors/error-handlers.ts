/** The application's error and not-found handlers, installed by the module loader on its root. */
import type { FastifyInstance } from 'fastify'
import { NotFound } from '../errors.ts'
import { errorBody } from './error-body.ts'

export function installErrorHandlers(fastify: FastifyInstance, production: boolean): void {
  fastify.setErrorHandler(function answerError(error, request, reply) {
    const body = errorBody(error, production)
    if (body.statusCode >= 500) request.log.error({ err: error }, 'the request failed')
    else request.log.debug({ code: body.code, statusCode: body.statusCode }, body.message)
    reply.code(body.statusCode).send(body)
  })
  fastify.setNotFoundHandler(function answerNotFound(_request, reply) {
    reply.code(404).send(errorBody(new NotFound(), production))
  })
}
