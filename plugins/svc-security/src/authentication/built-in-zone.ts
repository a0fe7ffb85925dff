/**
 * The zone of our own admin routes, declared last: it holds what no zone of the
 * application does, so that they ask for proof without any configuration. Pure.
 */

import type { AreasConfig } from '../options.ts'

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
