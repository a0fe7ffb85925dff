/**
 * The one error body as Fastify's error handlers. The module loader installs it on the
 * root; without the loader, routes of ours and controllers still answer with it,
 * unless the application has set its own handler around them.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NotFound } from '../errors.ts'
import { inProduction } from '../plugin/app-host.ts'
import { errorBody } from './error-body.ts'
import { logFailure } from './outage-log.ts'

/** Headers an error may bring along. Any other may belong to another answer that failed. */
const ERROR_HEADERS = ['allow', 'retry-after', 'upgrade', 'www-authenticate']

/** Comes before the modules: what they encapsulate inherits it. */
export function installErrorHandler(fastify: FastifyInstance, production: boolean): void {
  fastify.setErrorHandler(function answerError(error, request, reply) {
    answer(error, request, reply, production)
  })
}

/** In the config of a route that has its own error handler; Fastify copies it. */
const HANDLED_APART = Symbol('svc.handled-apart')

/**
 * Answers an outage that the log has already, on a route of the application where Fastify itself would answer, and write
 * a line for each request: a plain one of a bare Fastify. With a handler of the application nothing is done here.
 *
 * @returns whether it was answered
 */
export function answerRepeatedOutage(error: unknown, request: FastifyRequest, reply: FastifyReply): boolean {
  const { server, routeOptions } = request
  const { config } = routeOptions
  if ((error as { statusCode?: unknown }).statusCode !== 503) return false
  if (!hasDefaultHandler(server) || config.svc !== undefined || HANDLED_APART in config) return false
  if (server.outageLog.firstOccurrence(error)) return false
  const body = errorBody(error, inProduction(server))
  reply.code(body.statusCode).send(body)
  return true
}

/**
 * Answers who is to prove more, on a route of the application where Fastify itself would answer: it leaves out what to prove.
 * With a handler of the application nothing is done here.
 *
 * @returns whether it was answered
 */
export function answerStepUp(error: Error, request: FastifyRequest, reply: FastifyReply): boolean {
  const { server, routeOptions } = request
  const { config } = routeOptions
  if (!hasDefaultHandler(server) || config.svc !== undefined || HANDLED_APART in config) return false
  const body = errorBody(error, inProduction(server))
  request.log.debug({ code: body.code, statusCode: body.statusCode }, body.message)
  reply.code(body.statusCode).send(body)
  return true
}

/** For every route with `config.svc` that is declared from here on. */
export function answerErrorsOfOurRoutes(fastify: FastifyInstance): void {
  let production: boolean | null = null

  function answerUnlessApplicationDoes(error: FastifyError, request: FastifyRequest, reply: FastifyReply): unknown {
    const { server } = request
    // Set after the route was declared, where Fastify itself would pass it over.
    if (!hasDefaultHandler(server)) return server.errorHandler(error, request, reply)
    // Asked once: it reads the environment, which was measured at a tenth of a refusal.
    production ??= inProduction(server)
    return answer(error, request, reply, production)
  }

  fastify.addHook('onRoute', function answerErrors(route) {
    if (route.errorHandler !== undefined) {
      route.config = { ...route.config, [HANDLED_APART]: true } as typeof route.config & object
    }
    if (route.config?.svc === undefined || !hasDefaultHandler(this)) return
    route.errorHandler ??= answerUnlessApplicationDoes
  })
}

/** Fastify binds the handlers that are set, which shows in their names; its own has no other mark. */
function hasDefaultHandler({ errorHandler }: FastifyInstance): boolean {
  return errorHandler.name === 'defaultErrorHandler'
}

function answer(error: unknown, request: FastifyRequest, reply: FastifyReply, production: boolean): void {
  const { server } = request
  const body = errorBody(error, production, reply.statusCode >= 400 ? reply.statusCode : 500)
  // Outages are made of 503: what is below is no part of one.
  const isFirst =
    body.statusCode >= 500 && (!server.hasDecorator('outageLog') || server.outageLog.firstOccurrence(error))
  if (isFirst) logFailure(request.log, error, 'the request failed')
  else request.log.debug({ code: body.code, statusCode: body.statusCode }, body.message)
  bringHeaders(error, reply)
  reply.code(body.statusCode).send(body)
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
  const notFound = new NotFound()
  try {
    fastify.setNotFoundHandler(function answerNotFound(_request, reply) {
      const body = errorBody(notFound, production)
      reply.code(body.statusCode).send(body)
    })
  } catch {
    fastify.log.debug('a module has its own handler for unknown paths')
  }
}
