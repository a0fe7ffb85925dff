/** A zone as compiled at boot from one entry of `areas`, and the built-in zone of our own admin routes. Pure. */
import type { AreaConfig, AreasConfig } from '../../options.ts'
import { ANONYMOUS_NAME } from '../authenticators/anonymous-authenticator.ts'
import { type PatternReach, patternReach } from './pattern-reach.ts'

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
  /** True when a caller without proof is let in as the anonymous user. */
  readonly admitsAnonymous: boolean
  /** True when any credential is accepted. */
  readonly takesCredentials: boolean
}

export function compileZone(name: string, index: number, area: AreaConfig, ignoreCase: boolean): Zone {
  const { pattern, authenticators, mode, realtime } = area
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

/** `/svc/security/api/...`, `/svc/orm/api/...`, and the like of other plugins; and the metrics of svc-ops. */
const PATTERN = '^/svc/(?:[^/]+/api|ops/metrics)(?:/|$)'

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
  const machines = [signed && 'jwt', keyed && 'apikey']
  const authenticators = Object.freeze(['session', ...machines.filter((name) => name !== false)])
  const rest = { mode: 'first', realtime: true, basicWithoutSecondFactor: false } as const
  const zone = { pattern: PATTERN, authenticators, ...rest }
  return Object.freeze({ ...areas, [BUILT_IN_ZONE]: Object.freeze(zone) })
}
