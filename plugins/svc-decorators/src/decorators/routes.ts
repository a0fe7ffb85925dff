/** Decorators of routes: `@controller` on the class, `@route` and its short forms on the methods. */
import { callSite, showCall } from '../declarations/call-site.ts'
import { declarationsOf, type RouteDeclaration } from '../declarations/declarations.ts'
import { type MethodOnly, onMethod, refuseStandard } from '../declarations/declare.ts'
import { type RouteSettings, withSchema } from '../declarations/route-settings.ts'
import type { MethodTaking } from './method-taking.ts'

/** A method of HTTP, or `WEBSOCKET` for a route that answers messages. */
export type RouteMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'WEBSOCKET'

/** Settings of `@route`. */
export interface NamedRouteSettings<Body = unknown> extends RouteSettings<Body> {
  /** Appended to the prefix of the controller; absent or `/` is the prefix itself. */
  path?: string
  method?: RouteMethod | Lowercase<RouteMethod>
  methods?: ReadonlyArray<RouteMethod | Lowercase<RouteMethod>>
}

/** Settings of the short forms, such as `@Get`. */
export interface ShortRouteSettings<Body = unknown> extends RouteSettings<Body> {
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
export function route<Body>(name: string, settings: NamedRouteSettings<Body>): MethodTaking<Body, string | Buffer> {
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
 * @param settings `name`; `query`, `params`, `headers` and `response`, schemas of any make; Fastify's route options
 */
export function Get(path?: string, settings?: ShortRouteSettings): MethodOnly {
  return shortRoute('Get', 'GET', path, settings, callSite(Get))
}

/** Declares a POST route; parameters as those of `Get`, and `body`: the parameter with `@Body()` must take what that schema gives. */
export function Post<Body>(path?: string, settings?: ShortRouteSettings<Body>): MethodTaking<Body> {
  return shortRoute('Post', 'POST', path, settings, callSite(Post))
}

/** Declares a PUT route; parameters as those of `Get`. */
export function Put<Body>(path?: string, settings?: ShortRouteSettings<Body>): MethodTaking<Body> {
  return shortRoute('Put', 'PUT', path, settings, callSite(Put))
}

/** Declares a PATCH route; parameters as those of `Get`. */
export function Patch<Body>(path?: string, settings?: ShortRouteSettings<Body>): MethodTaking<Body> {
  return shortRoute('Patch', 'PATCH', path, settings, callSite(Patch))
}

/** Declares a DELETE route; parameters as those of `Get`. */
export function Delete<Body>(path?: string, settings?: ShortRouteSettings<Body>): MethodTaking<Body> {
  return shortRoute('Delete', 'DELETE', path, settings, callSite(Delete))
}

/**
 * Declares a WEBSOCKET route: the method runs once per message, and its result is sent back as one JSON text frame.
 * `body` validates the message.
 *
 * @param path appended to the prefix of the controller; a GET route may have the same path
 * @param settings as those of `Post`
 */
export function WebSocket<Body>(
  path?: string,
  settings?: Omit<ShortRouteSettings<Body>, 'bodyLimit' | 'exposeHeadRoute'>
): MethodTaking<Body, string | Buffer> {
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
function declareRoute(given: RouteDeclaration): MethodOnly {
  const declaration = { ...given, settings: withSchema(given.settings) }
  return (target, key) => {
    onMethod(declaration, target, key, ({ routes }) => {
      routes.unshift(declaration)
    })
  }
}
