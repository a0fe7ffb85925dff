/**
 * The routes of an application at the time of the call, because later hooks may change what a route declares. Every
 * report of routes reads this list. For routes declared before the first svc plugin only Fastify's router knows method
 * and path, not the guard.
 */
import type { RouteOptions } from 'fastify'
import { requirementOf } from '../access/guard.hook.ts'
import { describeRequirement, type Requirement, type RouteSecurity, type Transport } from '../access/requirement.ts'

/** A route as it was declared. */
export interface DeclaredRoute {
  /**
   * Full template. Stored separately, because Fastify writes the next spelling of a route `/` under a prefix to the
   * options.
   */
  readonly url: string
  readonly options: RouteOptions
}

/** A route as reports and explanations show it. */
export interface ListedRoute {
  readonly methods: readonly string[]
  /** Full template. */
  readonly path: string
  readonly transports: readonly Transport[]
  readonly anonymous: boolean
  readonly bypassFirewall: boolean
  /** The session that the route requires; `null` for none. */
  readonly session: 'signed-in' | 'pending' | null
  readonly requirement: Requirement | null
  /** `Class.method` of a controller, or the name given by a plugin. */
  readonly name: string | null
  /** `file:line` of the declaration, when known. */
  readonly source: string | null
  /** As `config.organization` of svc-organizations says; absent where the route does not. */
  readonly organization?: false | 'closing'
}

/** One item per declared route, in order; a HEAD is listed if its guard differs from that of its GET. */
export function listRoutes(declared: readonly DeclaredRoute[]): ListedRoute[] {
  const routes = declared.map(describe)
  const gets = new Map<string, ListedRoute>()
  for (const route of routes) {
    if (route.methods.includes('GET')) for (const key of routeKeys('HEAD', route.path)) gets.set(key, route)
  }
  return routes.filter(({ methods: [method, ...more], path, requirement }) => {
    if (method !== 'HEAD' || more.length > 0) return true
    const guard = guardText(requirement)
    return !routeKeys(method, path).every((key) => guardText(gets.get(key)?.requirement) === guard)
  })
}

function guardText(requirement: Requirement | null | undefined): string | null | undefined {
  return requirement ? describeRequirement(requirement) : requirement
}

/** Routes of the router that are not in `declared`. @param printed see `printedRoutes` */
export function undeclaredRoutes(
  declared: readonly DeclaredRoute[],
  printed: readonly PrintedRoute[]
): DeclaredRoute[] {
  const seen = new Set(
    declared.flatMap(({ url, options }) => [options.method].flat().flatMap((method) => routeKeys(method, url)))
  )
  const unseen = new Map<string, Set<string>>()
  for (const { method, path, key } of printed) {
    if (!seen.has(key)) unseen.set(path, (unseen.get(path) ?? new Set()).add(method))
  }
  return [...unseen].map(([url, all]) => {
    const method = [...all].filter((name) => name !== 'HEAD' || !all.has('GET'))
    return { url, options: { url, method } as RouteOptions }
  })
}

function describe({ url, options }: DeclaredRoute): ListedRoute {
  const svc: Partial<RouteSecurity> = options.config?.svc ?? {}
  const { organization } = (options.config ?? {}) as { readonly organization?: false | 'closing' }
  return {
    // The method of its route is for the router alone.
    methods: svc.transports?.includes('JOB') ? ['JOB'] : [options.method].flat(),
    path: url,
    transports: svc.transports ?? transportsOf(options),
    anonymous: svc.anonymous === true,
    bypassFirewall: svc.bypassFirewall === true,
    session: svc.session ?? null,
    requirement: requirementOf(options),
    name: svc.name ?? null,
    source: svc.source ?? null,
    ...(organization === undefined ? {} : { organization })
  }
}

/** The fields belong to @fastify/websocket, which may be absent. */
function transportsOf(options: RouteOptions): Transport[] {
  const { websocket, wsHandler } = options as { websocket?: boolean; wsHandler?: unknown }
  if (websocket === true) return ['WEBSOCKET']
  return wsHandler === undefined ? ['HTTP'] : ['HTTP', 'WEBSOCKET']
}

export interface PrintedRoute {
  readonly method: string
  /** As the router stores it: a route with an optional parameter is two. */
  readonly path: string
  /** One of the `routeKeys` of the declared route. */
  readonly key: string
}

/** Four columns per level, then `├── ` or `└── `; other constraints of the same path follow without either. */
const LINE = /^((?:│ {3}| {4})*)[├└]── (.*)$/u

/** A part of a path; its methods if a route ends here; its constraints, if any. */
const NODE = /^(.*?)(?: \(([A-Z][A-Z, -]*)\))?(?: (\{.*\}))?$/u

/** @param tree the text of `fastify.printRoutes()` */
export function printedRoutes(tree: string): PrintedRoute[] {
  const routes: PrintedRoute[] = []
  const above: Array<{ path: string; key: string }> = []
  for (const line of tree.split('\n')) {
    const [, indent = '', node] = LINE.exec(line) ?? []
    if (node === undefined) continue
    const [, label = '', methods] = NODE.exec(node) ?? []
    const depth = indent.length / 4
    const { path, key } = above[depth - 1] ?? { path: '', key: '' }
    const part = partOf(label)
    above[depth] = { path: path + part.path, key: key + part.key }
    const here = { path: path + part.path, key: fold(key + part.key) }
    for (const method of methods?.split(', ') ?? []) routes.push({ ...here, method, key: `${method} ${here.key}` })
  }
  return routes
}

/** The router's names of a declared route: without parameter names, and two if the last parameter is optional. */
export function routeKeys(method: string, url: string): string[] {
  const plain = url
    .replaceAll('::', LITERAL_COLON)
    .replace(/:[^/]*/g, ':')
    .replaceAll(LITERAL_COLON, ':')
  const paths = url.endsWith('?') ? [plain, plain.slice(0, -2)] : [plain]
  return paths.map((path) => `${method} ${fold(path)}`)
}

const LITERAL_COLON = '\u0000'

/** Different parameter names in one place print as `:a|:b`. */
function partOf(label: string): { path: string; key: string } {
  if (label === '(empty root node)') return { path: '', key: '' }
  return label.startsWith(':') ? { path: label.replace(/\|:.*$/, ''), key: ':' } : { path: label, key: label }
}

/** A route `/` under a prefix answers with and without the slash; routers may ignore case and double slashes. */
function fold(path: string): string {
  return path
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1')
    .toLowerCase()
}
