/**
 * The zone of our own admin routes, declared last: it holds what no zone of the
 * application does, so that they ask for proof without any configuration. Pure.
 */

import { tokensInUse } from '../boot/tokens-in-use.ts'
import type { AreasConfig, SvcSecurityOptions } from '../options.ts'

const BUILT_IN_ZONE = 'svc'

/** `/svc/security/api/...`, `/svc/orm/api/...`, and the like of other plugins; and the metrics of svc-ops. */
const PATTERN = '^/svc/(?:[^/]+/api|ops/metrics)(?:/|$)'

/** A zone of the application's own takes what it matches; that is no mistake in the declaration of this one. */
export function isBuiltIn({ name, pattern }: { readonly name: string; readonly pattern: RegExp }): boolean {
  return name === BUILT_IN_ZONE && pattern.source === new RegExp(PATTERN).source
}

/** @param given the options before their defaults: a section that is given switches its authenticator on */
export function withBuiltInZone(areas: AreasConfig, given: SvcSecurityOptions): AreasConfig {
  if (Object.hasOwn(areas, BUILT_IN_ZONE)) return areas
  const { signed, keyed } = tokensInUse(areas, given)
  const machines = [signed && 'jwt', keyed && 'apikey']
  const authenticators = Object.freeze(['session', ...machines.filter((name) => name !== false)])
  const rest = { mode: 'first', realtime: true, basicWithoutSecondFactor: false } as const
  const zone = { pattern: PATTERN, authenticators, ...rest }
  return Object.freeze({ ...areas, [BUILT_IN_ZONE]: Object.freeze(zone) })
}
