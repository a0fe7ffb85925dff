/**
 * The firewall as the application sees it, `fastify.firewall`: which zone holds
 * a route, and who authenticates there. Computed once per route and kept on the
 * route's own config; a request costs a property read.
 */
import { type DeclaredRoute, type ListedRoute, listRoutes, type RouteSecurity } from 'svc-kernel'
import type { AreasConfig } from '../options.ts'
import type { FirewallRealtimeAuthenticator } from './authenticators/firewall-realtime-authenticator.ts'
import type { ZoneAuthentication, ZoneProof } from './zone-authentication.ts'
import type { RouterFolding } from './zones/canonical-path.ts'
import { type RouteZone, type Zone, ZoneMap } from './zones/zone-map.ts'

/** What the firewall asks of a route. */
export interface RouteAccessPolicy extends RouteZone {
  readonly anonymous: boolean
  readonly bypass: boolean
  readonly unproven: RouteSecurity['unproven'] | null
}

/** A route with its zone. */
export interface RouteReport extends Omit<ListedRoute, 'methods'> {
  /** One method, or several joined by a comma. */
  readonly method: string
  /** Name of the zone, or `null` outside of all. */
  readonly zone: string | null
  /** True when the zone of the request's path can be stricter than `zone`. */
  readonly byPath: boolean
  /** Empty where authentication is skipped. */
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

export class Firewall {
  readonly #map: ZoneMap
  readonly #declared: () => readonly DeclaredRoute[]
  #authentications: readonly ZoneAuthentication[] = []
  #realtime: readonly FirewallRealtimeAuthenticator[] = []

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
   * The zone that holds a route, or `null`.
   *
   * @param route full template, prefix included, or `request.routeOptions.config`
   */
  zoneOf(route: string | RouteConfig): Zone | null {
    return typeof route === 'string' ? this.#map.ofTemplate(route).zone : this.policyOf(route).zone
  }

  /** Every route, with its zone and its guard; the guard of those declared before the first svc plugin is unknown. */
  report(): RouteReport[] {
    return listRoutes(this.#declared()).map(({ methods, ...route }) => {
      const { zone, byPath } = this.#map.ofTemplate(route.path)
      const authenticators = route.anonymous || route.bypassFirewall ? [] : (zone?.authenticators ?? [])
      return Object.freeze({ method: methods.join(','), ...route, zone: zone?.name ?? null, byPath, authenticators })
    })
  }

  /** Called once, at the end of boot: one of each per zone, in the order of the zones. */
  open(authentications: readonly ZoneAuthentication[], realtime: readonly FirewallRealtimeAuthenticator[]): void {
    this.#authentications = authentications
    this.#realtime = realtime
  }

  /** The policy of a matched route; computed at its first request and kept on its config. */
  policyOf(config: RouteConfig): RouteAccessPolicy {
    const known = config[policy]
    if (known !== undefined) return known
    if (config.url === undefined) return UNROUTED
    const { anonymous = false, bypassFirewall: bypass = false, unproven = null } = config.svc ?? {}
    const computed = Object.freeze({ ...this.#map.ofTemplate(config.url), anonymous, bypass, unproven })
    config[policy] = computed
    return computed
  }

  /** The zone of a request, where it does not follow from the route. */
  zoneOfTarget(target: string, routeZone: Zone | null): Zone | null {
    return this.#map.ofTarget(target, routeZone)
  }

  /** The authenticators of a zone with what each says of its proofs, in the order in which they are tried. After `ready()`. */
  proofsOf(zone: Zone): readonly ZoneProof[] {
    return this.authenticationOf(zone).proofs
  }

  /** What an authenticator that a zone lists says of its proofs. After `ready()`. */
  proofOf(authenticator: string): ZoneProof | null {
    const proofs = this.#authentications.flatMap((authentication) => authentication.proofs)
    return proofs.find((proof) => proof.authenticator === authenticator) ?? null
  }

  /** Checks again the identities of the WebSockets that were opened in a zone. */
  realtimeOf(zone: Zone): FirewallRealtimeAuthenticator {
    return this.#realtime[zone.index] as FirewallRealtimeAuthenticator
  }

  authenticationOf(zone: Zone): ZoneAuthentication {
    return this.#authentications[zone.index] as ZoneAuthentication
  }
}
