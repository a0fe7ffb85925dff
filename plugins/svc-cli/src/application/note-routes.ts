/** Observes which routes an application declares, whichever plugin declares them. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { RouteSecurity } from 'svc-kernel'
import type { ExplainedRoute } from 'svc-kernel/explain'

/** Fastify tells of every instance it makes, before any plugin is registered on it. */
const CREATED = 'fastify.initialization'

export type DeclaredRoute = ExplainedRoute

/**
 * Observes the next Fastify instance that is made in this process.
 *
 * @param into filled as routes are declared; HEAD twins are left out
 * @returns how to stop waiting for an instance
 */
export function noteRoutes(into: DeclaredRoute[]): () => void {
  const observe = (message: unknown): void => {
    stop()
    ;(message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => {
      const methods = [route.method].flat()
      const twin = methods.length === 1 && methods[0] === 'HEAD'
      if (!twin || !into.some((known) => known.path === route.url && known.methods.includes('GET'))) {
        into.push(describe(methods, route))
      }
    })
  }
  const stop = (): void => {
    unsubscribe(CREATED, observe)
  }
  subscribe(CREATED, observe)
  return stop
}

function describe(methods: readonly string[], route: RouteOptions): DeclaredRoute {
  const svc: Partial<RouteSecurity> = route.config?.svc ?? {}
  return {
    methods,
    path: route.url,
    transports: svc.transports ?? transportsOf(route),
    anonymous: svc.anonymous === true,
    bypassFirewall: svc.bypassFirewall === true,
    requirement: svc.requirement ?? null,
    name: svc.name ?? null,
    source: svc.source ?? null
  }
}

/** The fields of @fastify/websocket. */
function transportsOf(route: RouteOptions): Array<'HTTP' | 'WEBSOCKET'> {
  const { websocket, wsHandler } = route as { websocket?: boolean; wsHandler?: unknown }
  if (websocket === true) return ['WEBSOCKET']
  return wsHandler === undefined ? ['HTTP'] : ['HTTP', 'WEBSOCKET']
}
