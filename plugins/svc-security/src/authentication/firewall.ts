/**
 * `fastify.firewall`: the zone of a route, and its authenticators. Computed once per route and kept in the route's
 * config, so a request costs one property read.
 */
import type { FastifyRequest } from 'fastify'
import { type AccessToken, ANONYMOUS_TOKEN, type RouteSecurity } from 'svc-kernel'
import type { DeclaredRoute } from 'svc-kernel/plugin'
import { type ListedRoute, listRoutes } from 'svc-kernel/plugin'
import type { FactorPolicy, FactorRefusal } from '../authorization/factor-policy.ts'
import type { AreasConfig } from '../options.ts'
import type { Authenticator } from './authenticators/authenticator.ts'
import { propagatedTo } from './identity-propagation.ts'
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

/** An identity at a route. */
export interface IdentityAt {
  /** `null` where the route gets none. */
  readonly token: AccessToken | null
  /** Whether its zone refuses the identity, with 401 or for a factor that it lacks. */
  readonly refused: boolean
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

/** A part of the paths that a plugin opens to a credential of its own, which no other zone takes. */
export interface OwnZone {
  /** Of the zone, and of its authenticator. */
  readonly name: string
  /** A regular expression, which begins with `^`. */
  readonly pattern: string
  readonly authenticator: Authenticator
}

/** `fastify.firewall`: the zones, and the zone and the authenticators of each route. */
export class Firewall {
  #map: ZoneMap
  readonly #own: OwnZone[] = []
  readonly #declared: () => readonly DeclaredRoute[]
  #authentications: readonly ZoneAuthentication[] = []
  #realtime: readonly RealtimeIdentities[] = []
  /** `null` where no login needs a factor. */
  #factors: FactorPolicy | null = null

  /** @param declared the routes of the application so far */
  constructor(areas: AreasConfig, folding: RouterFolding, declared: () => readonly DeclaredRoute[]) {
    this.#map = new ZoneMap(areas, folding)
    this.#declared = declared
  }

  /**
   * Adds a zone of a plugin, in front of those of the application: whatever they match, its paths take its authenticator and
   * no other. Called while plugins register.
   *
   * @throws DuplicateName (SVC_KERNEL_DUPLICATE_NAME)
   */
  addZone(zone: OwnZone): void {
    this.#map = this.#map.with(zone.name, zone.pattern)
    this.#own.push(zone)
  }

  /** Zones of plugins. */
  get added(): readonly OwnZone[] {
    return this.#own
  }

  /** Zones in declaration order, those of plugins first. */
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

  /** The zone of a request. */
  zoneOfRequest({ routeOptions: { config }, raw }: Pick<FastifyRequest, 'routeOptions' | 'raw'>): Zone | null {
    const { byPath, zone } = this.policyOf(config)
    return byPath ? this.zoneOfTarget(raw.url ?? '', zone) : zone
  }

  /**
   * What the identity of a request is worth at a route that this process calls for it; nothing is recorded.
   *
   * @param config `request.routeOptions.config` of the route
   */
  identityAt(config: RouteConfig, opener: FastifyRequest): IdentityAt {
    const { anonymous, bypass, zone } = this.policyOf(config)
    if (anonymous) return { token: ANONYMOUS_TOKEN, refused: false }
    if (bypass || zone === null) return { token: null, refused: false }
    const { token, foreign, missing } = propagatedTo(zone, opener, false, { firewall: this })
    return { token, refused: foreign !== null || missing !== null }
  }

  /** Called once, at the end of the boot, with one of each per zone, in the order of the zones. */
  open(
    authentications: readonly ZoneAuthentication[],
    realtime: readonly RealtimeIdentities[],
    factors: FactorPolicy
  ): void {
    this.#authentications = authentications
    this.#realtime = realtime
    this.#factors = factors.isOn ? factors : null
  }

  /** Whether any login needs a second factor. */
  get asksFactors(): boolean {
    return this.#factors !== null
  }

  /** The factor that a login needs and has not shown. @param zone `null` outside of all; the roles of the user ask there too */
  missingFactor(zone: { readonly name: string } | null, token: AccessToken): FactorRefusal | null {
    return this.#factors === null ? null : this.#factors.refusalOf(zone?.name ?? null, token)
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
