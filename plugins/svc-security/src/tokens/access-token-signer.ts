/** Signs access tokens (RFC 9068, without a client): type `at+jwt`, EdDSA, the key named by `kid`. */
import { createSigner } from 'fast-jwt'
import type { Proof } from '../sessions/stored-proof.ts'
import type { KeyRing } from '../signing-keys/key-set.ts'
import type { SigningKey } from '../signing-keys/signing-key.ts'
import type { AccessTokenSetting } from './access-token-verifier.ts'

export interface AccessTokenOrder {
  readonly jti: string
  /** User identifier. */
  readonly subject: string
  readonly scopes: readonly string[]
  /** When and by what the user was proven. */
  readonly proof: Proof
  /** Thumbprint of the key that it is bound to; `null` for a bearer token. */
  readonly jkt: string | null
  /** `null` for that of `jwt.audience`. */
  readonly audience: string | null
}

type Sign = (payload: Record<string, unknown>) => string

export class AccessTokenSigner {
  readonly #setting: AccessTokenSetting
  readonly #ring: KeyRing
  #made: { readonly key: SigningKey; readonly sign: Sign } | null = null

  constructor(ring: KeyRing, setting: AccessTokenSetting) {
    this.#ring = ring
    this.#setting = setting
  }

  /** @param now epoch ms @returns the token and when it expires (epoch ms) */
  sign(
    { jti, subject, scopes, proof, jkt, audience }: AccessTokenOrder,
    now: number
  ): { token: string; expiresAt: number } {
    const { issuer, accessTtlMs } = this.#setting
    const aud = audience ?? this.#setting.audience
    const iat = Math.floor(now / 1000)
    const exp = iat + accessTtlMs / 1000
    const scope = scopes.length === 0 ? {} : { scope: scopes.join(' ') }
    const said = { ...scope, ...proofClaims(proof), ...(jkt === null ? {} : { cnf: { jkt } }) }
    const token = this.#signer(now)({ iss: issuer, aud, sub: subject, jti, ...said, iat, exp })
    return { token, expiresAt: exp * 1000 }
  }

  #signer(now: number): Sign {
    const key = this.#ring.current.signingKey(now)
    if (this.#made?.key !== key) this.#made = { key, sign: signer(key) }
    return this.#made.sign
  }
}

/** `auth_time`, `amr` and `acr` (OpenID Connect Core, 2; RFC 8176; RFC 9470, 6): the strongest factor is the class. */
function proofClaims({ provenAt, factors }: Proof): Record<string, unknown> {
  if (provenAt === null) return {}
  const acr = ACR.find(([factor]) => factors.includes(factor))?.[1]
  return {
    auth_time: Math.floor(provenAt / 1000),
    ...(factors.length === 0 ? {} : { amr: factors }),
    ...(acr === undefined ? {} : { acr })
  }
}

const ACR = [
  ['passkey', 'passkey'],
  ['otp', 'totp'],
  ['recovery', 'mfa'],
  ['federated', 'mfa'],
  ['pwd', 'pwd']
] as const

function signer({ kid, privateKey }: SigningKey): Sign {
  return createSigner({
    key: privateKey?.export({ type: 'pkcs8', format: 'pem' }) as string,
    algorithm: 'EdDSA',
    kid,
    header: { alg: 'EdDSA', typ: 'at+jwt' }
  }) as Sign
}
