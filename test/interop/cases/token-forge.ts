/**
 * Access tokens made by somebody else: jose signs what differs from a good one in
 * one thing, the bare primitive signs what no library would.
 */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import type { StoredKey } from 'svc-security/host'

export const ISSUER = 'https://issuer.example'
export const AUDIENCE = 'https://api.example'

type Members = Readonly<Record<string, unknown>>

export class TokenForge {
  readonly key: StoredKey
  readonly header: Members
  readonly claims: Members

  /** @param now seconds */
  constructor(key: StoredKey, now: number) {
    this.key = key
    this.header = { alg: 'EdDSA', typ: 'at+jwt', kid: key.kid }
    this.claims = { iss: ISSUER, aud: AUDIENCE, sub: 'alice', jti: 'jti-1', iat: now, exp: now + 60 }
  }

  /** A good token, with members of its header and its claims replaced; `undefined` leaves one out. */
  async signed(header: Members = {}, claims: Members = {}, key: StoredKey = this.key): Promise<string> {
    const protectedHeader = JSON.parse(JSON.stringify({ ...this.header, ...header })) as { alg: string }
    return new SignJWT({ ...this.claims, ...claims })
      .setProtectedHeader(protectedHeader)
      .sign(await importJWK({ ...key }, 'EdDSA'))
  }

  /** Any texts, signed with Ed25519 whatever the header says. */
  forged(header: string, claims: string, privateKey = this.privateKey): string {
    const input = `${segment(header)}.${segment(claims)}`
    return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`
  }

  /** Signed with our key, with members of the header replaced that jose would refuse to write. */
  forgedHeader(header: Members): string {
    return this.forged(JSON.stringify({ ...this.header, ...header }), JSON.stringify(this.claims))
  }

  /** Signed with our key, the payload being this text. */
  forgedClaims(text: string): string {
    return this.forged(JSON.stringify(this.header), text)
  }

  get privateKey(): KeyObject {
    return createPrivateKey({ key: { ...this.key }, format: 'jwk' })
  }
}

/** base64url of a text. */
export function segment(text: string): string {
  return Buffer.from(text).toString('base64url')
}

/** The `kid` that a token names. */
export function kidOf(token: string): unknown {
  return (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid?: unknown }).kid
}
