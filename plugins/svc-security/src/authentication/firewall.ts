/**
 * `fastify.firewall`: the zone of a route, and its authenticators. Computed once per route and kept in the route's
 * config, so a request costs one property read.
 */
import type { RouteSecurity } from 'svc-kernel'
import type { DeclaredRoute } from 'svc-kernel/plugin'
import { type ListedRoute, listRoutes } from 'svc-kernel/plugin'
import type { AreasConfig } from '../options.ts'
import type { RealtimeIdentities } from './realtime-identities.ts'
import type { ZoneAuthentication, ZoneProof } from './zone-authentication.ts'
import type { RouterFolding } from './zones/canonical-path.ts'
import { type RouteZone, type Zone, ZoneMap } from './zones/zone-map.ts'

/** What the firewall needs to know about a route. */
export interface RouteAccessPolicy extends RouteZone {
  readonly anonymous: boolean
  readonly bypass: boolean
  readonly unproven: RouteSecurity['unproven'] | null
}

/** A route with its zone. */
export interface RouteReport extends Omit<ListedRoute, 'methods'> {
  /** One method, or several joined by a comma. */
  readonly method: string
  /** Name of the zone; `null` if no zone matches. */
  readonly zone: string | null
  /** True if the zone of a request's path can be stricter than `zone`. */
  readonly byPath: boolean
  /** Empty if authentication is skipped. */
  readonly authenticators: readonly string[]
}

const policy = Symbol('svc.route-access-policy')

/** The config of a matched route; without `url` it is that of a not-found handler. */
export interface RouteConfig {
  readonly url?: string
  readonly svc?: RouteSecurity
  [policy]?: RouteAccessPolicy
}

const UNROUTED: RouteAccessPolicy = Object.freeze({
  zone: null,
  byPath: true,
  anonymous: false,
  bypass: false,
  unproven: null
})

/** `fastify.firewall`: the zones, and the zone and the authenticators of each route. */
export class Firewall {
  readonly #map: ZoneMap
  readonly #declared: () => readonly DeclaredRoute[]
  #authentications: readonly ZoneAuthentication[] = []
  #realtime: readonly RealtimeIdentities[] = []

  /** @param declared the routes of the application so far */
  constructor(areas: AreasConfig, folding: RouterFolding, declared: () => readonly DeclaredRoute[]) {
    this.#map = new ZoneMap(areas, folding)
    this.#declared = declared
  }

  /** Zones in declaration order. */
  get zones(): readonly Zone[] {
    return this.#map.zones
  }

  /**
   * The zone of a route, or `null`.
   *
   * @param route full template with its prefix, or `request.routeOptions.config`
   */
  zoneOf(route: string | RouteConfig): Zone | null {
    return typeof route === 'string' ? this.#map.ofTemplate(route).zone : this.policyOf(route).zone
  }

  /** Every route, with its zone and guard. The guard of a route from before the first svc plugin is unknown. */
  report(): RouteReport[] {
    return listRoutes(this.#declared()).map(({ methods, ...route }) => {
      const { zone, byPath } = this.#map.ofTemplate(route.path)
      const authenticators = route.anonymous || route.bypassFirewall ? [] : (zone?.authenticators ?? [])
      return Object.freeze({ method: methods.join(','), ...route, zone: zone?.name ?? null, byPath, authenticators })
    })
  }

  /** Called once, at the end of the boot, with one of each per zone, in the order of the zones. */
  open(authentications: readonly ZoneAuthentication[], realtime: readonly RealtimeIdentities[]): void {
    this.#authentications = authentications
    this.#realtime = realtime
  }

  /** The policy of a matched route, computed at its first request and kept in its config. */
  policyOf(config: RouteConfig): RouteAccessPolicy {
    const known = config[policy]
    if (known !== undefined) return known
    if (config.url === undefined) return UNROUTED
    const { anonymous = false, bypassFirewall: bypass = false, unproven = null } = config.svc ?? {}
    const computed = Object.freeze({ ...this.#map.ofTemplate(config.url), anonymous, bypass, unproven })
    config[policy] = computed
    return computed
  }

  /** The zone of a request that does not follow from its route. */
  zoneOfTarget(target: string, routeZone: Zone | null): Zone | null {
    return this.#map.ofTarget(target, routeZone)
  }

  /** The authenticators of a zone, in order, with what each declares about its credentials. Call it after `ready()`. */
  proofsOf(zone: Zone): readonly ZoneProof[] {
    return this.authenticationOf(zone).proofs
  }

  /** What an authenticator declares about its credentials, if a zone lists it. Call it after `ready()`. */
  proofOf(authenticator: string): ZoneProof | null {
    const proofs = this.#authentications.flatMap((authentication) => authentication.proofs)
    return proofs.find((proof) => proof.authenticator === authenticator) ?? null
  }

  /** Checks the identities of open WebSockets of a zone again. */
  realtimeOf(zone: Zone): RealtimeIdentities {
    return this.#realtime[zone.index] as RealtimeIdentities
  }

  authenticationOf(zone: Zone): ZoneAuthentication {
    return this.#authentications[zone.index] as ZoneAuthentication
  }
}
