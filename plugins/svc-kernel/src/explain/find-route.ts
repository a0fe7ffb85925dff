/** Which declared route answers a request, by the router that Fastify itself uses. */
import findMyWay from 'find-my-way'
import type { ListedRoute } from '../routes/route-inventory.ts'

export interface FoundRoute {
  readonly route: ListedRoute
  readonly params: Readonly<Record<string, string | undefined>>
}

export interface RouterOptions {
  readonly ignoreTrailingSlash?: boolean
  readonly ignoreDuplicateSlashes?: boolean
  readonly caseSensitive?: boolean
}

/**
 * @param method an HTTP method, or `WEBSOCKET`
 * @param path as requested; a query string is ignored
 * @returns `null` for what would be a 404
 */
export type RouteFinder = (method: string, path: string) => FoundRoute | null

/** A router of the declared routes; the first of two that are alike answers. */
export function routeFinder(routes: readonly ListedRoute[], options: RouterOptions = {}): RouteFinder {
  const [all, sockets] = [
    routerOf(routes, options),
    routerOf(
      routes.filter(({ transports }) => transports.includes('WEBSOCKET')),
      options
    )
  ]
  return (method, path) => {
    const socket = method === 'WEBSOCKET'
    const router = socket ? sockets : all
    const wanted = (socket ? 'GET' : method) as findMyWay.HTTPMethod
    const found = router.find(wanted, path) ?? (wanted === 'HEAD' ? router.find('GET', path) : null)
    return found === null ? null : { route: found.store as ListedRoute, params: found.params }
  }
}

function routerOf(routes: readonly ListedRoute[], options: RouterOptions) {
  const router = findMyWay(options)
  for (const route of routes) {
    // No request reaches a method that is a job alone.
    if (route.transports.includes('JOB')) continue
    for (const declared of route.methods as findMyWay.HTTPMethod[]) {
      if (!router.hasRoute(declared, route.path)) router.on(declared, route.path, () => undefined, route)
    }
  }
  return router
}
