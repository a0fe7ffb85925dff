/** Which declared route answers a request, by the router that Fastify itself uses. */
import findMyWay from 'find-my-way'
import type { DeclaredRoute } from '../application/note-routes.ts'

export interface FoundRoute {
  readonly route: DeclaredRoute
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
export function findRoute(
  routes: readonly DeclaredRoute[],
  method: string,
  path: string,
  options: RouterOptions = {}
): FoundRoute | null {
  const socket = method === 'WEBSOCKET'
  const router = findMyWay(options)
  for (const route of routes) {
    if (socket && !route.transports.includes('WEBSOCKET')) continue
    for (const declared of route.methods) {
      if (!router.hasRoute(declared as findMyWay.HTTPMethod, route.path)) {
        router.on(declared as findMyWay.HTTPMethod, route.path, () => undefined, route)
      }
    }
  }
  const wanted = socket ? 'GET' : method
  const found =
    router.find(wanted as findMyWay.HTTPMethod, path) ?? (wanted === 'HEAD' ? router.find('GET', path) : null)
  return found === null ? null : { route: found.store as DeclaredRoute, params: found.params }
}
