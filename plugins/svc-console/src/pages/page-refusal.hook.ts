/**
 * A refused page, for a person: a visitor is led to the sign-in page, a user without the role is shown so, and where the
 * proof cannot be looked up the page says what does not answer. Anything but a browser that opens a page gets the answer
 * that every guarded route gives.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { ANONYMOUS } from 'svc-kernel'

type ErrorHandler = FastifyInstance['errorHandler']

export interface RefusedPage {
  signIn(request: FastifyRequest, reply: FastifyReply): unknown
  lacksRole(request: FastifyRequest, reply: FastifyReply): unknown
  /** Answers 503. */
  unavailable(request: FastifyRequest, reply: FastifyReply): unknown
}

/** Puts itself before the handler that the route has, or would have. */
export function answerRefusals(route: RouteOptions, page: RefusedPage): void {
  const otherwise = route.errorHandler as ErrorHandler | undefined
  route.errorHandler = function answerRefusal(error, request, reply) {
    const status = (error as { statusCode?: unknown }).statusCode
    if (opensPage(request)) {
      if (status === 503) return page.unavailable(request, reply)
      if (status === 401 || status === 403) {
        return isKnown(request) ? page.lacksRole(request, reply) : page.signIn(request, reply)
      }
    }
    const handler = otherwise ?? request.server.errorHandler
    return handler.call(this, error, request, reply)
  }
}

function opensPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}

function isKnown({ user, token }: FastifyRequest): boolean {
  return user !== null && user !== ANONYMOUS && token !== null && token.type !== 'anonymous'
}
