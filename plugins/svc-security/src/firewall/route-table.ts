/** The routes declared since the plugin was registered, as the boot report and `svc routes` show them. */
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
  readonly options: RouteOptions
}

export class RouteTable {
  readonly #routes: DeclaredRoute[] = []

  /** An `onRoute` hook. The options object is kept, as later hooks may still add to its config. */
  note(options: RouteOptions): void {
    this.#routes.push({ methods: [options.method].flat(), path: options.url, options })
  }

  /** One row per declared route; the HEAD twin of a GET is not shown. */
  report(zoneOf: (template: string) => RouteZone): RouteReport[] {
    const gets = new Set(this.#routes.filter(({ methods }) => methods.includes('GET')).map(({ path }) => path))
    return this.#routes
      .filter(({ methods, path }) => !(methods.length === 1 && methods[0] === 'HEAD' && gets.has(path)))
      .map((route) => describe(route, zoneOf(route.path)))
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
function transportsOf(options: RouteOptions): Array<'HTTP' | 'WEBSOCKET'> {
  const { websocket, wsHandler } = options as { websocket?: boolean; wsHandler?: unknown }
  if (websocket === true) return ['WEBSOCKET']
  return wsHandler === undefined ? ['HTTP'] : ['HTTP', 'WEBSOCKET']
}
