/**
 * What an access token proves by itself: signed by a key of ours, for us, not yet
 * expired. The algorithm is ours and never the header's; the key is the one that
 * `kid` names in the local set, never one the header brings or points to. Whether
 * the token was revoked, and what became of its subject, is not asked here.
 */
import { createVerifier } from 'fast-jwt'
import { factorList } from 'svc-kernel/plugin'
import { tokenRefused } from '../journal/audit-writer.ts'
import type { KeyRing, KeySet } from '../signing-keys/key-set.ts'
import type { SigningKey } from '../signing-keys/signing-key.ts'
import {
  authTimeOf,
  boundKeyOf,
  type CheckedClaims,
  claimsFault,
  freezeClaims,
  headerOf,
  headerTextOf,
  isCanonicallySigned,
  MAX_TOKEN_LENGTH,
  ownHeaderText,
  scopesOf,
  type TokenHeader
} from './access-token-form.ts'
import { VerifiedTokenCache } from './verified-token-cache.ts'

export interface AccessTokenSetting {
  readonly issuer: string
  readonly audience: string
  /** Of zones that have their own. */
  readonly audiences?: readonly string[]
  /** Longest life of a token: how long a retired key vouches for what it signed. */
  readonly accessTtlMs: number
  readonly toleranceMs: number
  /** Verified signatures to remember; 0: none. */
  readonly cacheSize: number
}

export interface VerifiedClaims {
  readonly kid: string
  readonly sub: string
  readonly jti: string
  readonly scopes: readonly string[]
  /** Whom it is for: at least one of ours. */
  readonly audiences: readonly unknown[]
  /** Epoch ms. */
  readonly issuedAt: number
  /** Epoch ms. */
  readonly expiresAt: number
  /** Epoch ms of the subject's own proof (`auth_time`); `null` where the token does not say. */
  readonly provenAt: number | null
  /** By what, as RFC 8176 names it (`amr`). */
  readonly factors: readonly string[]
  /** Thumbprint of the key that it is bound to; `null` for a bearer token. */
  readonly jkt: string | null
  /** All claims, frozen through and through. */
  readonly claims: Readonly<Record<string, unknown>>
}

type Verify = (token: string) => Record<string, unknown>

interface KeyVerifier {
  readonly kid: string
  readonly verify: Verify
}

const REQUIRED = ['iss', 'aud', 'sub', 'jti', 'iat', 'exp']

export class AccessTokenVerifier {
  readonly #setting: AccessTokenSetting
  readonly #ring: KeyRing
  readonly #cache: VerifiedTokenCache<VerifiedClaims>
  #keys: KeySet | null = null
  #byKid: ReadonlyMap<string, KeyVerifier> = new Map()
  #byHeader: ReadonlyMap<string, KeyVerifier> = new Map()

  constructor(ring: KeyRing, setting: AccessTokenSetting) {
    this.#ring = ring
    this.#setting = setting
    this.#cache = new VerifiedTokenCache(setting.cacheSize)
  }

  /**
   * @param now epoch ms
   * @throws InvalidToken with the cause beside it, for the audit
   */
  verify(token: string, now: number): VerifiedClaims {
    const keys = this.#keysInForce()
    const known = this.#cache.get(token, now)
    const verified = known ?? this.#verifyAnew(token, now)
    const { accessTtlMs, toleranceMs } = this.#setting
    if (!keys.vouches(verified.kid, verified.issuedAt, now, accessTtlMs + toleranceMs))
      throw tokenRefused('retired_key')
    if (known === null) this.#cache.set(token, verified, now)
    return verified
  }

  #verifyAnew(token: string, now: number): VerifiedClaims {
    if (token.length > MAX_TOKEN_LENGTH) throw tokenRefused('length')
    if (!isCanonicallySigned(token)) throw tokenRefused('signature_form')
    const { kid, verify } = this.#byHeader.get(headerTextOf(token)) ?? this.#verifierOf(headerOf(token))
    const claims = checkSignature(verify, token)
    this.#checkTimes(claims, now)
    return Object.freeze({
      kid,
      sub: claims.sub,
      jti: claims.jti,
      scopes: scopesOf(claims.scope),
      audiences: Object.freeze([(claims as { aud?: unknown }).aud].flat()),
      issuedAt: claims.iat * 1000,
      expiresAt: claims.exp * 1000,
      provenAt: authTimeOf(claims.auth_time),
      factors: factorList(claims.amr),
      jkt: claims.cnf === undefined ? null : boundKeyOf(claims.cnf),
      claims
    })
  }

  #verifierOf({ kid, critical }: TokenHeader): KeyVerifier {
    if (critical) throw tokenRefused('crit')
    const verifier = kid === null ? undefined : this.#byKid.get(kid)
    if (verifier === undefined) throw tokenRefused('kid')
    return verifier
  }

  #checkTimes(claims: Readonly<Record<string, unknown>>, now: number): asserts claims is CheckedClaims & typeof claims {
    const fault = claimsFault(claims, now, this.#setting.toleranceMs)
    if (fault !== null) throw tokenRefused(fault)
  }

  /** Verifiers are made once per key set; with another set nothing of the old one counts any more. */
  #keysInForce(): KeySet {
    const { current } = this.#ring
    if (current === this.#keys) return current
    const verifiers = current.keys.map((key) => keyVerifier(key, this.#setting))
    this.#byKid = new Map(verifiers.map((verifier) => [verifier.kid, verifier]))
    this.#byHeader = new Map(verifiers.map((verifier) => [ownHeaderText(verifier.kid), verifier]))
    this.#cache.clear()
    this.#keys = current
    return current
  }
}

function keyVerifier(
  { kid, publicKey }: SigningKey,
  { issuer, audience, audiences = [] }: AccessTokenSetting
): KeyVerifier {
  const verify = createVerifier({
    key: publicKey.export({ type: 'spki', format: 'pem' }),
    algorithms: ['EdDSA'],
    allowedIss: issuer,
    allowedAud: [audience, ...audiences],
    checkTyp: 'at+jwt',
    requiredClaims: REQUIRED,
    cache: false,
    // Times are checked by our own clock, see `claimsFault`.
    ignoreExpiration: true,
    ignoreNotBefore: true
  }) as Verify
  return { kid, verify }
}

function checkSignature(verify: Verify, token: string): Readonly<Record<string, unknown>> {
  try {
    return freezeClaims(verify(token))
  } catch (error) {
    const { code } = error as { code?: unknown }
    throw tokenRefused(typeof code === 'string' ? code.replace('FAST_JWT_', '').toLowerCase() : 'claims')
  }
}
