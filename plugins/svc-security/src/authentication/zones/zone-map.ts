/**
 * The zones in declaration order, compiled at boot; the first whose pattern matches holds. A zone belongs to a route: it
 * is found by the full template. Only where a parameter of the template could lead into another zone is the request's
 * path matched too. Last comes the built-in zone of our own admin routes. Pure.
 */
import { DuplicateName } from 'svc-kernel/plugin'
import type { AreaConfig, AreasConfig } from '../../options.ts'
import { ANONYMOUS_NAME } from '../authenticators/authenticator.ts'
import { API_KEY_NAME, JWT_NAME } from '../authenticators/bearer-authenticators.ts'
import { SESSION_NAME } from '../authenticators/session-authenticator.ts'
import { canonicalPath, type RouterFolding } from './canonical-path.ts'
import { excludes, type PatternReach, patternReach } from './pattern-reach.ts'

/** A part of the paths, with the authenticators that admit callers to it. */
export interface Zone {
  readonly name: string
  /** Position of its declaration. */
  readonly index: number
  readonly pattern: RegExp
  readonly reach: PatternReach
  /** Names, in the order in which they are tried. */
  readonly authenticators: readonly string[]
  readonly mode: 'first' | 'all'
  readonly realtime: boolean
  /** The `aud` of its access tokens; `null` for that of `jwt.audience`. */
  readonly audience: string | null
  /** Seconds after which a WebSocket ends whose proof cannot be checked again; 0: it does not. */
  readonly uncheckedSocketS: number
  /** True when a caller without proof is let in as the anonymous user. */
  readonly admitsAnonymous: boolean
  /** True when any credential is accepted. */
  readonly takesCredentials: boolean
}

export function compileZone(name: string, index: number, area: AreaConfig, ignoreCase: boolean): Zone {
  const { pattern, authenticators, mode, realtime, audience = null, uncheckedSocketS } = area
  const flags = ignoreCase ? 'iu' : 'u'
  const credentials = authenticators.filter((authenticator) => authenticator !== ANONYMOUS_NAME)
  return Object.freeze({
    name,
    index,
    pattern: new RegExp(pattern, flags),
    reach: Object.freeze(patternReach(pattern, flags)),
    authenticators,
    mode,
    realtime,
    audience,
    uncheckedSocketS,
    admitsAnonymous: authenticators.includes(ANONYMOUS_NAME),
    takesCredentials: credentials.length > 0
  })
}

/**
 * The stricter of two zones: any zone over none, one that demands proof over one
 * that admits the anonymous visitor, and among equals the one declared first.
 */
export function stricterZone(a: Zone | null, b: Zone | null): Zone | null {
  if (a === null || b === null) return a ?? b
  if (demandsProof(a) !== demandsProof(b)) return demandsProof(a) ? a : b
  return a.index <= b.index ? a : b
}

/** In mode `all` the other authenticators stay mandatory beside `anonymous`. */
export function demandsProof({ admitsAnonymous, mode, takesCredentials }: Zone): boolean {
  return !admitsAnonymous || (mode === 'all' && takesCredentials)
}

const BUILT_IN_ZONE = 'svc'

/** `/svc/security/api/...`, `/svc/orm/api/...`, and the like of other plugins; the metrics of svc-ops, and the console. */
const PATTERN = '^/svc/(?:[^/]+/api|ops/metrics|console)(?:/|$)'

/** A zone of the application's own takes what it matches; that is no mistake in the declaration of this one. */
export function isBuiltIn({ name, pattern }: { readonly name: string; readonly pattern: RegExp }): boolean {
  return name === BUILT_IN_ZONE && pattern.source === new RegExp(PATTERN).source
}

export interface MachineCredentials {
  /** Signed tokens are taken. */
  readonly signed: boolean
  /** API keys are taken. */
  readonly keyed: boolean
}

export function withBuiltInZone(areas: AreasConfig, { signed, keyed }: MachineCredentials): AreasConfig {
  if (Object.hasOwn(areas, BUILT_IN_ZONE)) return areas
  const machines = [signed && JWT_NAME, keyed && API_KEY_NAME]
  const authenticators = Object.freeze([SESSION_NAME, ...machines.filter((name) => name !== false)])
  const rest = { mode: 'first', realtime: true, uncheckedSocketS: 60, basicWithoutSecondFactor: false } as const
  const zone = { pattern: PATTERN, authenticators, ...rest }
  return Object.freeze({ ...areas, [BUILT_IN_ZONE]: Object.freeze(zone) })
}

/** @param names tried before the authenticators of each zone that asks for one proof */
export function withFirst(areas: AreasConfig, names: readonly string[]): AreasConfig {
  if (names.length === 0) return areas
  const entries = Object.entries(areas).map(([zone, area]) => {
    if (area.mode === 'all') return [zone, area] as const
    return [
      zone,
      Object.freeze({ ...area, authenticators: Object.freeze([...names, ...area.authenticators]) })
    ] as const
  })
  return Object.freeze(Object.fromEntries(entries))
}

/** The zone of a route. `byPath`: the stricter of this and the zone of the path holds, per request. */
export interface RouteZone {
  readonly zone: Zone | null
  readonly byPath: boolean
}

export class ZoneMap {
  readonly zones: readonly Zone[]
  readonly #areas: AreasConfig
  readonly #folding: RouterFolding

  constructor(areas: AreasConfig, folding: RouterFolding) {
    this.#areas = areas
    this.#folding = folding
    this.zones = Object.freeze(
      Object.entries(areas).map(([name, area], index) => compileZone(name, index, area, folding.ignoreCase))
    )
  }

  /** With a zone in front that takes one authenticator, of its own name. @throws DuplicateName */
  with(name: string, pattern: string): ZoneMap {
    if (Object.hasOwn(this.#areas, name)) throw new DuplicateName('zone', name)
    const rest = { mode: 'first', realtime: false, uncheckedSocketS: 60, basicWithoutSecondFactor: false } as const
    const zone = Object.freeze({ pattern, authenticators: Object.freeze([name]), ...rest })
    return new ZoneMap(Object.freeze({ [name]: zone, ...this.#areas }), this.#folding)
  }

  /** @param template full route template, prefix included */
  ofTemplate(template: string): RouteZone {
    const folded = this.#folding.ignoreDuplicateSlashes ? template.replace(/\/{2,}/g, '/') : template
    const zone = this.#match(folded)
    const dynamic = folded.search(/[:*]/)
    // A route `/` under a prefix answers `prefix/` too, and says `prefix` for both.
    const byPath = dynamic === -1 ? this.#match(`${folded}/`) !== zone : !this.#settled(folded.slice(0, dynamic), zone)
    return { zone, byPath }
  }

  /** The zone of a request whose route does not settle it: the stricter of the route's and the path's. */
  ofTarget(target: string, routeZone: Zone | null): Zone | null {
    const path = canonicalPath(target, this.#folding)
    if (path !== null) return stricterZone(routeZone, this.#match(path))
    // What cannot be read cannot be placed: the strictest zone there is.
    return this.zones.reduce(stricterZone, routeZone)
  }

  #match(path: string): Zone | null {
    for (const zone of this.zones) if (zone.pattern.test(path)) return zone
    return null
  }

  /** True when every path that begins with `start` provably stays in `zone`, or cannot be in a stricter one. */
  #settled(start: string, zone: Zone | null): boolean {
    for (const other of this.zones) {
      if (other === zone) return other.reach.settles?.test(start) === true
      const harmless = zone !== null && demandsProof(zone) && !demandsProof(other)
      if (!harmless && !excludes(other.reach, start, this.#folding.ignoreCase)) return false
    }
    return true
  }
}
