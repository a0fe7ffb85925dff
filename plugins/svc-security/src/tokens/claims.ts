/**
 * What an access token must claim beyond a signature, issuer, audience and type that
 * hold. fast-jwt takes an infinite `exp`, a missing or future `iat`, an empty or
 * numeric `sub` and `jti`; we do not. Pure: the time is given.
 */

/** The claims everything below relies on (RFC 9068, 2.2). */
export interface CheckedClaims {
  readonly sub: string
  readonly jti: string
  /** Seconds. */
  readonly iat: number
  /** Seconds. */
  readonly exp: number
  readonly scope?: unknown
}

/**
 * @param now epoch ms
 * @returns the cause of a refusal, in one word for the audit, or `null`
 */
export function claimsFault(
  payload: Readonly<Record<string, unknown>>,
  now: number,
  toleranceMs: number
): string | null {
  const { sub, jti, iat, exp, nbf, cnf } = payload
  if (!isText(sub)) return 'sub'
  if (!isText(jti)) return 'jti'
  if (!isSeconds(exp)) return 'exp'
  if (!isSeconds(iat)) return 'iat'
  if (exp * 1000 + toleranceMs <= now) return 'expired'
  if (iat * 1000 - toleranceMs > now) return 'future'
  if (nbf !== undefined && !(isSeconds(nbf) && nbf * 1000 - toleranceMs <= now)) return 'nbf'
  // Bound to a key of the caller (RFC 7800, RFC 9449 7.1): without its proof it is worth nothing.
  return cnf === undefined ? null : 'cnf'
}

/** `scope` is one text, its members parted by blanks (RFC 9068, 2.2.3). */
export function scopesOf(scope: unknown): readonly string[] {
  return typeof scope === 'string' ? Object.freeze(scope.split(' ').filter(Boolean)) : NO_SCOPES
}

const NO_SCOPES: readonly string[] = Object.freeze([])

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** A time of which the milliseconds are exact too. */
function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value * 1000) && Number.isInteger(value) && value >= 0
}

/**
 * Claims as they are handed on: who holds them cannot change what the next request reads, and no member of theirs can
 * reach a prototype.
 *
 * @throws TypeError for a member `__proto__`, which we never issue
 */
export function freezeClaims<Claims extends object>(claims: Claims): Readonly<Claims> {
  if (Object.hasOwn(claims, '__proto__')) throw new TypeError('a claim is named __proto__')
  for (const value of Object.values(claims)) {
    if (typeof value === 'object' && value !== null) freezeClaims(value as object)
  }
  return Object.freeze(claims)
}
