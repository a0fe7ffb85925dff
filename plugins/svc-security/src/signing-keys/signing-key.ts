/**
 * One key that access tokens are signed or verified with: Ed25519, named by `kid`.
 * Its stored form is a JWK (RFC 8037) and the time from which it signs. Pure but for fresh keys.
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** A JWK as it is stored: the private part `d` stays with the key that signs, and with the next one. */
export interface StoredKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly kid: string
  readonly x: string
  readonly d?: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
  /** Epoch ms; the key signs from then on. */
  readonly activeFrom: number
}

/** What everybody may see of a key. */
export type PublicJwk = Omit<StoredKey, 'd' | 'activeFrom'>

export interface SigningKey {
  readonly kid: string
  readonly publicKey: KeyObject
  /** `null` for a key that only verifies any more. */
  readonly privateKey: KeyObject | null
  /** Epoch ms. */
  readonly activeFrom: number
  readonly jwk: PublicJwk
}

export function newStoredKey(activeFrom: number): StoredKey & { readonly d: string } {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as { x: string; d: string }
  return { kty: 'OKP', crv: 'Ed25519', kid: thumbprint(x), x, d, alg: 'EdDSA', use: 'sig', activeFrom }
}

/** @throws where the parts are not those of one Ed25519 key */
export function openKey({ d, activeFrom, ...jwk }: StoredKey): SigningKey {
  const { kty, crv, x } = jwk
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  const privateKey = d === undefined ? null : createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })
  if (privateKey !== null && !createPublicKey(privateKey).equals(publicKey)) {
    throw new TypeError('the private part is not that of the public one')
  }
  return Object.freeze({ kid: jwk.kid, publicKey, privateKey, activeFrom, jwk: Object.freeze(jwk) })
}

/** RFC 7638: the name of a key that follows from the key itself. */
export function thumbprint(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
}
