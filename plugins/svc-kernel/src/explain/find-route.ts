/** Which declared route answers a request, by the router that Fastify itself uses. */
import findMyWay from 'find-my-way'
import type { Requirement } from '../access/requirement.ts'

/** A route, as far as an explanation reads it. */
export interface ExplainedRoute {
  readonly methods: readonly string[]
  /** Full template. */
  readonly path: string
  readonly transports: ReadonlyArray<'HTTP' | 'WEBSOCKET'>
  readonly anonymous: boolean
  readonly bypassFirewall: boolean
  readonly requirement: Requirement | null
  readonly name: string | null
  /** `file:line` of the declaration, when known. */
  readonly source: string | null
}

export interface FoundRoute {
  readonly route: ExplainedRoute
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
export function routeFinder(routes: readonly ExplainedRoute[], options: RouterOptions = {}): RouteFinder {
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
    return found === null ? null : { route: found.store as ExplainedRoute, params: found.params }
  }
}

function routerOf(routes: readonly ExplainedRoute[], options: RouterOptions) {
  const router = findMyWay(options)
  for (const route of routes) {
    for (const declared of route.methods as findMyWay.HTTPMethod[]) {
      if (!router.hasRoute(declared, route.path)) router.on(declared, route.path, () => undefined, route)
    }
  }
  return router
}
