/**
 * What the API asks of the server beyond its routes, for one scope: its own error body, bodies of JSON that are empty,
 * and 401 where a route that lets strangers in refuses one.
 */
import createError from '@fastify/error'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from 'svc-kernel'
import { UniqueViolation } from 'svc-orm/errors'

/** What is not there, as the key of the answer names it. */
export const Missing = createError<[what: string]>('CONDUIT_MISSING', '%s', 404)

/** What belongs to somebody else. */
export const Foreign = createError<[what: string]>('CONDUIT_FOREIGN', '%s', 403)

export function conventions(fastify: FastifyInstance): void {
  fastify.setErrorHandler(answerError)
  const parse = fastify.getDefaultJsonParser('error', 'error')
  fastify.removeContentTypeParser('application/json')
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    return parse(request, body as string, done)
  })
}

interface Answer {
  readonly status: number
  readonly errors: Readonly<Record<string, readonly string[]>>
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, errors } = answerOf(error, request)
  if (status >= 500) request.log.error({ err: error }, 'the request failed')
  // When to come back, and what to prove oneself with, comes with the error.
  reply.headers((error as { headers?: Record<string, string> }).headers ?? {})
  if (status === 401 && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', 'Token')
  reply.code(status).send({ errors })
}

function answerOf(error: unknown, { method, user }: FastifyRequest): Answer {
  const { statusCode, code, message, details = [] } = errorBody(error, true)
  if (error instanceof UniqueViolation) {
    return { status: method === 'POST' ? 409 : 422, errors: byKey(error.fields, 'has already been taken') }
  }
  if (error instanceof Missing) return { status: 404, errors: { [message]: ['not found'] } }
  if (error instanceof Foreign) return { status: 403, errors: { [message]: ['forbidden'] } }
  if (code === 'SVC_HTTP_VALIDATION') {
    return { status: 422, errors: Object.fromEntries(details.map(({ path, message }) => [lastOf(path), [message]])) }
  }
  if (code === 'SVC_SEC_CREDENTIALS') return { status: 401, errors: { credentials: ['invalid'] } }
  const isStranger = user === null || user.identifier === 'anonymous'
  if (statusCode === 401 || (statusCode === 403 && isStranger)) {
    return { status: 401, errors: { token: [isStranger ? 'is missing' : 'is invalid'] } }
  }
  return { status: statusCode, errors: { request: [message] } }
}

function byKey(keys: readonly string[], message: string): Answer['errors'] {
  return Object.fromEntries(keys.map((key) => [key, [message]]))
}

function lastOf(path: string): string {
  return path.split('/').at(-1) || 'body'
}
