/**
 * The zones in declaration order; the first whose pattern matches holds. A zone
 * belongs to a route: it is found by the full template. Only where a parameter
 * of the template could lead into another zone is the request's path matched too.
 */
import type { AreasConfig } from '../../options.ts'
import { canonicalPath, type RouterFolding } from './canonical-path.ts'
import { excludes } from './pattern-reach.ts'
import { compileZone, demandsProof, stricterZone, type Zone } from './zone.ts'

/** The zone of a route. `byPath`: the stricter of this and the zone of the path holds, per request. */
export interface RouteZone {
  readonly zone: Zone | null
  readonly byPath: boolean
}

export class ZoneMap {
  readonly zones: readonly Zone[]
  readonly #folding: RouterFolding

  constructor(areas: AreasConfig, folding: RouterFolding) {
    this.#folding = folding
    this.zones = Object.freeze(
      Object.entries(areas).map(([name, area], index) => compileZone(name, index, area, folding.ignoreCase))
    )
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
