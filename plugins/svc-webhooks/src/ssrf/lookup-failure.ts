/** What a failed look-up means. A missing name stays missing; a resolver that fails may answer the next time. */

/** Codes of `getaddrinfo`, of c-ares and of the system that speak of the resolver, not of the name. */
const MOMENTARY: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_MEMORY',
  'EAI_SYSTEM',
  'ECANCELLED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETUNREACH',
  'ENFILE',
  'ENOMEM',
  'EREFUSED',
  'ESERVFAIL',
  'ETIMEDOUT',
  'ETIMEOUT'
])

/** Anything unknown counts as a missing name: it is refused for good, not tried again. */
export function lookupFailure(error: unknown): 'resolver' | 'unresolvable' {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return MOMENTARY.has(code) ? 'resolver' : 'unresolvable'
}
