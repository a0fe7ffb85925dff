/**
 * The routes of the application, whenever they were declared, as the boot report and `GET firewall` show them. Those
 * declared before the first svc plugin are known only to Fastify's router, which prints methods and paths, not guards.
 */
import type { RouteOptions } from 'fastify'
import type { Requirement, RouteSecurity } from 'svc-kernel'
import type { RouteZone } from './zone-map.ts'

export interface RouteReport {
  /** One method, or several joined by a comma. */
  readonly method: string
  /** Full template. */
  readonly path: string
  readonly transports: ReadonlyArray<'HTTP' | 'WEBSOCKET'>
  /** Name of the zone, or `null` outside of all. */
  readonly zone: string | null
  /** True when the zone of the request's path can be stricter than `zone`. */
  readonly byPath: boolean
  /** Empty where authentication is skipped. */
  readonly authenticators: readonly string[]
  readonly anonymous: boolean
  readonly bypassFirewall: boolean
  readonly requirement: Requirement | null
  /** `Class.method` and `file:line` of a compiled controller route. */
  readonly name: string | null
  readonly source: string | null
}

interface DeclaredRoute {
  readonly methods: readonly string[]
  readonly path: string
  readonly options: Partial<RouteOptions>
}

export class RouteTable {
  readonly #routes: DeclaredRoute[] = []

  /** An `onRoute` hook. The options object is kept, as later hooks may still add to its config. */
  note(options: RouteOptions, path = options.url): void {
    this.#routes.push({ methods: [options.method].flat(), path, options })
  }

  /** Adds what the router holds beyond the noted routes: declared before the first svc plugin. */
  noteUnseen(printed: readonly PrintedRoute[]): void {
    const seen = new Set(this.#routes.flatMap(({ methods, path }) => methods.flatMap((name) => routeKeys(name, path))))
    const unseen = new Map<string, Set<string>>()
    for (const { method, path, key } of printed) {
      if (!seen.has(key)) unseen.set(path, (unseen.get(path) ?? new Set()).add(method))
    }
    for (const [path, all] of unseen) {
      const methods = [...all].filter((method) => method !== 'HEAD' || !all.has('GET'))
      this.#routes.push({ methods, path, options: {} })
    }
  }

  /** One row per declared route; a HEAD is shown where it has not the guard of its GET. */
  report(zoneOf: (template: string) => RouteZone): RouteReport[] {
    const rows = this.#routes.map((route) => ({ ...route, row: describe(route, zoneOf(route.path)) }))
    const gets = new Map<string, RouteReport>()
    for (const { methods, path, row } of rows) {
      if (methods.includes('GET')) for (const key of routeKeys('HEAD', path)) gets.set(key, row)
    }
    return rows
      .filter(({ methods: [method, ...more], path, row }) => {
        if (method !== 'HEAD' || more.length > 0) return true
        return !routeKeys(method, path).every((key) => gets.get(key)?.requirement === row.requirement)
      })
      .map(({ row }) => row)
  }
}

function describe({ methods, path, options }: DeclaredRoute, { zone, byPath }: RouteZone): RouteReport {
  const svc: Partial<RouteSecurity> = options.config?.svc ?? {}
  const anonymous = svc.anonymous === true
  const bypassFirewall = svc.bypassFirewall === true
  return Object.freeze({
    method: methods.join(','),
    path,
    transports: svc.transports ?? transportsOf(options),
    zone: zone?.name ?? null,
    byPath,
    authenticators: anonymous || bypassFirewall ? [] : (zone?.authenticators ?? []),
    anonymous,
    bypassFirewall,
    requirement: svc.requirement ?? null,
    name: svc.name ?? null,
    source: svc.source ?? null
  })
}

/** The fields are those of @fastify/websocket, which may be absent. */
function transportsOf(options: Partial<RouteOptions>): Array<'HTTP' | 'WEBSOCKET'> {
  const { websocket, wsHandler } = options as { websocket?: boolean; wsHandler?: unknown }
  if (websocket === true) return ['WEBSOCKET']
  return wsHandler === undefined ? ['HTTP'] : ['HTTP', 'WEBSOCKET']
}

export interface PrintedRoute {
  readonly method: string
  /** As the router keeps it: a route with an optional parameter is two. */
  readonly path: string
  /** Equal to one of `routeKeys` of the declared route. */
  readonly key: string
}

/** Four columns per level, then `├── ` or `└── `; other constraints of the same path follow without either. */
const LINE = /^((?:│ {3}| {4})*)[├└]── (.*)$/u

/** A part of a path, the methods where it ends one, the constraints where it has some. */
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

/** What the router calls a declared route: without names of parameters, and twice where the last one is optional. */
export function routeKeys(method: string, url: string): string[] {
  const plain = url
    .replaceAll('::', LITERAL_COLON)
    .replace(/:[^/]*/g, ':')
    .replaceAll(LITERAL_COLON, ':')
  const paths = url.endsWith('?') ? [plain, plain.slice(0, -2)] : [plain]
  return paths.map((path) => `${method} ${fold(path)}`)
}

const LITERAL_COLON = '\u0000'

/** Parameters of several names in one place print as `:a|:b`. */
function partOf(label: string): { path: string; key: string } {
  if (label === '(empty root node)') return { path: '', key: '' }
  return label.startsWith(':') ? { path: label.replace(/\|:.*$/, ''), key: ':' } : { path: label, key: label }
}

/** A route `/` under a prefix answers with and without the slash, and routers may fold case and double slashes. */
function fold(path: string): string {
  return path
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1')
    .toLowerCase()
}
