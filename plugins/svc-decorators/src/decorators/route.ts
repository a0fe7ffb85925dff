/** `@route`: the long form of a route, with its name and any number of methods. */
import { callSite } from '../declarations/call-site.ts'
import type { RouteSettings } from '../declarations/declarations.ts'
import { type MethodOnly, onMethod } from '../declarations/declare.ts'

export type RouteMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'WEBSOCKET'

export interface NamedRouteSettings extends RouteSettings {
  /** Appended to the prefix of the controller; absent or `/` is the prefix itself. */
  path?: string
  method?: RouteMethod | Lowercase<RouteMethod>
  methods?: ReadonlyArray<RouteMethod | Lowercase<RouteMethod>>
}

/**
 * Declares a named route: `@route('articles.list', { path: '/', methods: ['GET', 'WEBSOCKET'] })`.
 *
 * @param name unique in the application; shown by the route listing and in logs
 */
export function route(name: string, settings: NamedRouteSettings): MethodOnly {
  const { path, method, methods = [], ...others } = settings
  const declaration = {
    decorator: `@route('${name}')`,
    source: callSite(route),
    name,
    methods: method === undefined ? methods : [method, ...methods],
    path,
    settings: others
  }
  return (target, key) => {
    onMethod(declaration, target, key, (found) => {
      found.routes.unshift(declaration)
    })
  }
}
