/**
 * What an access token says, before its signature is looked at and after it holds. Its compact form (RFC 7515, 7.1),
 * three parts of base64url, is recognised by its shape. fast-jwt takes an infinite `exp`, a missing or future `iat`, an
 * empty or numeric `sub` and `jti`; we do not. Pure: the time is given.
 */
/** Longer ones are refused unread; ours have about 500 characters. */
export const MAX_TOKEN_LENGTH = 8192

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** 64 bytes have one text: of the last character four bits are unused, and must be zero. */
const SIGNATURE = /\.[\w-]{85}[AQgw]$/

export function isCompact(text: string): boolean {
  return COMPACT.test(text)
}

/** Ends with an Ed25519 signature in its only spelling. */
export function isCanonicallySigned(text: string): boolean {
  return SIGNATURE.test(text)
}

/** What decides before a signature is looked at. */
export interface TokenHeader {
  /** `null` where it is none that could be looked up. */
  readonly kid: string | null
  /** It has a member `crit`: whoever does not understand every extension it lists refuses (RFC 7515, 4.1.11). We know none. */
  readonly critical: boolean
}

/** The first part of a token. */
export function headerTextOf(text: string): string {
  return text.slice(0, text.indexOf('.'))
}

/** The header of every token that we sign with a key, as it is written: what it says is known without decoding it. */
export function ownHeaderText(kid: string): string {
  return Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid })).toString('base64url')
}

/** The header, not verified; of what cannot be read neither. */
export function headerOf(text: string): TokenHeader {
  try {
    const header: unknown = JSON.parse(Buffer.from(headerTextOf(text), 'base64url').toString())
    const { kid } = header as { kid?: unknown }
    return { kid: typeof kid === 'string' ? kid : null, critical: Object.hasOwn(header as object, 'crit') }
  } catch {
    return { kid: null, critical: false }
  }
}

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
  return cnf === undefined || boundKeyOf(cnf) !== null ? null : 'cnf'
}

/**
 * The key that a token is bound to (RFC 9449, 6.1): without its proof it is worth nothing.
 *
 * @returns its thumbprint; `null` for a confirmation of another kind, which nothing here could check
 */
export function boundKeyOf(cnf: unknown): string | null {
  if (typeof cnf !== 'object' || cnf === null || Object.keys(cnf).length !== 1) return null
  const { jkt } = cnf as { jkt?: unknown }
  return isText(jkt) ? jkt : null
}

/** `scope` is one text, its members parted by blanks (RFC 9068, 2.2.3). */
export function scopesOf(scope: unknown): readonly string[] {
  return typeof scope === 'string' ? Object.freeze(scope.split(' ').filter(Boolean)) : NONE
}

/** @param time seconds (OpenID Connect Core, 2) @returns epoch ms */
export function authTimeOf(time: unknown): number | null {
  return isSeconds(time) ? time * 1000 : null
}

const NONE: readonly string[] = Object.freeze([])

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
