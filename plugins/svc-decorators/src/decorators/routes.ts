/** Decorators of routes: `@controller` on the class, `@route` and its short forms on the methods. */
import { callSite, showCall } from '../declarations/call-site.ts'
import { declarationsOf, type RouteDeclaration, type RouteSettings } from '../declarations/declarations.ts'
import { type MethodOnly, onMethod, refuseStandard } from '../declarations/declare.ts'

export type RouteMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'WEBSOCKET'

/** Settings of `@route`. */
export interface NamedRouteSettings extends RouteSettings {
  /** Appended to the prefix of the controller; absent or `/` is the prefix itself. */
  path?: string
  method?: RouteMethod | Lowercase<RouteMethod>
  methods?: ReadonlyArray<RouteMethod | Lowercase<RouteMethod>>
}

/** Settings of the short forms, such as `@Get`. */
export interface ShortRouteSettings extends RouteSettings {
  /** Route name, unique in the application. Default: `Class.method`. */
  name?: string
}

/**
 * Declares a controller class. One instance is made per request and per WebSocket message: `new Class(fastify)`, then
 * `initialize(ctx)` where it exists.
 *
 * @param prefix put before the path of each of its routes; may hold parameters, such as `/orgs/:org`
 */
export function controller(prefix = ''): (target: object, standard?: unknown) => void {
  const declaration = { decorator: showCall('controller', [prefix || undefined]), source: callSite(controller), prefix }
  return (target, standard) => {
    refuseStandard(declaration, standard)
    declarationsOf(target).controller = declaration
  }
}

/**
 * Declares a named route: `@route('articles.list', { path: '/', methods: ['GET', 'WEBSOCKET'] })`.
 *
 * @param name unique in the application; shown by the route listing and in logs
 */
export function route(name: string, settings: NamedRouteSettings): MethodOnly {
  const { path, method, methods = [], ...others } = settings
  return declareRoute({
    decorator: `@route('${name}')`,
    source: callSite(route),
    name,
    methods: method === undefined ? methods : [method, ...methods],
    path,
    settings: others
  })
}

/**
 * Declares a GET route (spec, "Declaring routes and access").
 *
 * @param path appended to the prefix of the controller; absent or `/` is the prefix itself
 * @param settings `name`, `schema` and other Fastify route options
 */
export function Get(path?: string, settings?: ShortRouteSettings): MethodOnly {
  return shortRoute('Get', 'GET', path, settings, callSite(Get))
}

/** Declares a POST route; parameters as those of `Get`. */
export function Post(path?: string, settings?: ShortRouteSettings): MethodOnly {
  return shortRoute('Post', 'POST', path, settings, callSite(Post))
}

/** Declares a PUT route; parameters as those of `Get`. */
export function Put(path?: string, settings?: ShortRouteSettings): MethodOnly {
  return shortRoute('Put', 'PUT', path, settings, callSite(Put))
}

/** Declares a PATCH route; parameters as those of `Get`. */
export function Patch(path?: string, settings?: ShortRouteSettings): MethodOnly {
  return shortRoute('Patch', 'PATCH', path, settings, callSite(Patch))
}

/** Declares a DELETE route; parameters as those of `Get`. */
export function Delete(path?: string, settings?: ShortRouteSettings): MethodOnly {
  return shortRoute('Delete', 'DELETE', path, settings, callSite(Delete))
}

/**
 * Declares a WEBSOCKET route: the method runs once per message, and its result is sent back as one JSON text frame.
 * `schema.body` validates the message.
 *
 * @param path appended to the prefix of the controller; a GET route may have the same path
 * @param settings `name`, `schema` and other Fastify route options
 */
export function WebSocket(
  path?: string,
  settings?: Omit<ShortRouteSettings, 'bodyLimit' | 'exposeHeadRoute'>
): MethodOnly {
  return shortRoute('WebSocket', 'WEBSOCKET', path, settings, callSite(WebSocket))
}

function shortRoute(
  decorator: string,
  method: RouteMethod,
  path: unknown,
  { name, ...settings }: ShortRouteSettings = {},
  source: string | null
): MethodOnly {
  return declareRoute({ decorator: showCall(decorator, [path]), source, name, methods: [method], path, settings })
}

/** Decorators run from the last to the first: each goes before those that follow it in the source. */
function declareRoute(declaration: RouteDeclaration): MethodOnly {
  return (target, key) => {
    onMethod(declaration, target, key, ({ routes }) => {
      routes.unshift(declaration)
    })
  }
}
