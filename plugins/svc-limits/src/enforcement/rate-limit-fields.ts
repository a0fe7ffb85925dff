/**
 * The header fields of limits (draft-ietf-httpapi-ratelimit-headers-10), as structured fields (RFC 9651): lists of
 * strings with parameters. `RateLimit-Policy` has the quota `q` of a window of `w` seconds, `RateLimit` what remains at
 * once, `r`, and the seconds `t` until the whole burst is there again. Pure.
 */
import { remaining, seconds } from '../limit/gcra.ts'
import type { Limit } from '../limit/limit.ts'
import type { State } from '../limiter/limiter.ts'

/** A limit and its field texts, made once. */
export interface FieldTexts {
  readonly policy: string
  readonly name: string
}

/** Names of limits are printable ASCII. */
export function fieldTexts({ name, rate: { count, perS } }: Limit): FieldTexts {
  const quoted = `"${name.replace(/["\\]/g, '\\$&')}"`
  return { name: quoted, policy: `${quoted};q=${count};w=${perS}` }
}

/** The item of `RateLimit` for a budget after a call. */
export function rateLimitItem({ name }: FieldTexts, { limit, aheadUs }: State): string {
  return `${name};r=${remaining(aheadUs, limit)};t=${seconds(aheadUs)}`
}
