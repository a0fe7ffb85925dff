/** Answers of administrators' routes are what their type says: no browser guesses another from what a caller has put into them. */
import type { onRequestHookHandler, RouteOptions } from 'fastify'
import type { RouteConfig } from './route-config.ts'

const saysItsType: onRequestHookHandler = function saysItsType(_request, reply, done) {
  reply.header('x-content-type-options', 'nosniff')
  done()
}

/** An `onRoute` hook; the route keeps its own hooks. */
export function guardAdminAnswer(route: RouteOptions): void {
  const [first = []] = (route.config as RouteConfig | undefined)?.svc?.requirement ?? []
  if (!first.some(({ attribute }) => attribute === 'ROLE_SVC_ADMIN')) return
  route.onRequest = [saysItsType, ...[route.onRequest ?? []].flat()]
}
