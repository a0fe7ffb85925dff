/**
 * The key of a DPoP proof: the public JWK in its header (RFC 9449, 4.2), named by its thumbprint (RFC 7638). Who proves it
 * is whoever holds its private part; that it is the right one, the `cnf` of a token says.
 */
import { createPublicKey, hash } from 'node:crypto'
import { createVerifier } from 'fast-jwt'
import { DPOP_ALGORITHMS } from './dpop-challenge.ts'

export const DPOP_TYPE = 'dpop+jwt'

type Algorithm = (typeof DPOP_ALGORITHMS)[number]

/** The members that make a key, in the order of its thumbprint. */
const FORMS: Readonly<
  Record<Algorithm, { readonly kty: string; readonly crv: string; readonly points: readonly string[] }>
> = {
  ES256: { kty: 'EC', crv: 'P-256', points: ['x', 'y'] },
  EdDSA: { kty: 'OKP', crv: 'Ed25519', points: ['x'] }
}

/** 32 bytes as base64url. */
const POINT = /^[\w-]{43}$/

/** Members that only a private or a symmetric key has (RFC 7518, 6.2.2 and 6.4; RFC 8037, 2). */
const SECRET_MEMBERS = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth']

export interface ProofKey {
  /** SHA-256 thumbprint, base64url. */
  readonly jkt: string
  /** Checks the signature. @returns the claims @throws where it does not hold */
  readonly verify: (proof: string) => Readonly<Record<string, unknown>>
}

/**
 * Reads the first part of a proof.
 *
 * @returns the key, or what is wrong with the header, in one word for the audit
 */
export function readProofKey(headerText: string): ProofKey | string {
  const header = jsonOf(headerText)
  if (header === null) return 'header'
  const { typ, alg, jwk } = header
  if (Object.hasOwn(header, 'crit')) return 'crit'
  if (typ !== DPOP_TYPE) return 'typ'
  if (!DPOP_ALGORITHMS.some((known) => known === alg)) return 'alg'
  return keyOf(jwk, alg as Algorithm)
}

function keyOf(jwk: unknown, algorithm: Algorithm): ProofKey | string {
  if (typeof jwk !== 'object' || jwk === null) return 'jwk'
  if (SECRET_MEMBERS.some((name) => Object.hasOwn(jwk, name))) return 'private_key'
  const { kty, crv, points } = FORMS[algorithm]
  const given = jwk as Readonly<Record<string, unknown>>
  if (given.kty !== kty || given.crv !== crv) return 'jwk'
  if (points.some((name) => !POINT.test(String(given[name])))) return 'jwk'
  const members = { crv, kty, ...Object.fromEntries(points.map((name) => [name, String(given[name])])) }
  try {
    const key = createPublicKey({ key: members, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const verify = createVerifier({
      key,
      algorithms: [algorithm],
      checkTyp: DPOP_TYPE,
      cache: false,
      // A proof has no such claims; its age is judged by our own clock.
      ignoreExpiration: true,
      ignoreNotBefore: true
    }) as ProofKey['verify']
    return { jkt: hash('sha256', JSON.stringify(members), 'base64url'), verify }
  } catch {
    return 'jwk'
  }
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
