/** Signs access tokens (RFC 9068, without a client): type `at+jwt`, EdDSA, the key named by `kid`. */
import { createSigner } from 'fast-jwt'
import type { KeyRing } from '../signing-keys/key-set.ts'
import type { SigningKey } from '../signing-keys/signing-key.ts'
import type { AccessTokenSetting } from './access-token-verifier.ts'

export interface AccessTokenOrder {
  readonly jti: string
  /** User identifier. */
  readonly subject: string
  readonly scopes: readonly string[]
  /** Epoch ms at which the user was proven; `null` where that was not now, as for a token that was renewed. */
  readonly provenAt: number | null
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
  sign({ jti, subject, scopes, provenAt }: AccessTokenOrder, now: number): { token: string; expiresAt: number } {
    const { issuer, audience, accessTtlMs } = this.#setting
    const iat = Math.floor(now / 1000)
    const exp = iat + accessTtlMs / 1000
    const scope = scopes.length === 0 ? {} : { scope: scopes.join(' ') }
    const proof = provenAt === null ? {} : { auth_time: Math.floor(provenAt / 1000) }
    const token = this.#signer(now)({ iss: issuer, aud: audience, sub: subject, jti, ...scope, ...proof, iat, exp })
    return { token, expiresAt: exp * 1000 }
  }

  #signer(now: number): Sign {
    const key = this.#ring.current.signingKey(now)
    if (this.#made?.key !== key) this.#made = { key, sign: signer(key) }
    return this.#made.sign
  }
}

function signer({ kid, privateKey }: SigningKey): Sign {
  return createSigner({
    key: privateKey?.export({ type: 'pkcs8', format: 'pem' }) as string,
    algorithm: 'EdDSA',
    kid,
    header: { alg: 'EdDSA', typ: 'at+jwt' }
  }) as Sign
}
