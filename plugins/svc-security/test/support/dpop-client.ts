/** A caller who holds a key, with proofs of it by jose: right ones, and bent in any part. */
import { createHash, randomUUID } from 'node:crypto'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

export interface ProofOf {
  readonly method?: string
  readonly url: string
  /** Epoch ms. */
  readonly now: number
  readonly accessToken?: string
  readonly nonce?: string
  /** In place of what a right proof says; `undefined` leaves it out. */
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Readonly<Record<string, unknown>>
}

export class DpopClient {
  readonly jwk: JWK
  readonly jkt: string
  readonly #key: CryptoKey
  readonly #alg: string

  private constructor(key: CryptoKey, jwk: JWK, jkt: string, alg: string) {
    this.#key = key
    this.jwk = jwk
    this.jkt = jkt
    this.#alg = alg
  }

  static async make(alg = 'ES256'): Promise<DpopClient> {
    const { privateKey, publicKey } = await generateKeyPair(alg)
    const jwk = await exportJWK(publicKey)
    return new DpopClient(privateKey, jwk, await calculateJwkThumbprint(jwk), alg)
  }

  proof({ method = 'GET', url, now, accessToken, nonce, claims = {}, header = {} }: ProofOf): Promise<string> {
    const ath = accessToken === undefined ? undefined : createHash('sha256').update(accessToken).digest('base64url')
    const said = { jti: randomUUID(), htm: method, htu: url, iat: Math.floor(now / 1000), ath, nonce, ...claims }
    const protectedHeader = { typ: 'dpop+jwt', alg: this.#alg, jwk: this.jwk, ...header }
    return new SignJWT(said as never).setProtectedHeader(protectedHeader as never).sign(this.#key)
  }
}
