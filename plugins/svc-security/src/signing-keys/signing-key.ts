/**
 * One key that access tokens are signed or verified with: Ed25519, named by `kid`. Its stored form is a JWK (RFC 8037)
 * and the time from which it signs. A stored key set, `{ "keys": [JWK, ...] }`, is read with everything that is wrong
 * with it; no text of a key is ever part of a message. Pure but for fresh keys.
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
    throw new TypeError('the private part does not belong to the public part')
  }
  return Object.freeze({ kid: jwk.kid, publicKey, privateKey, activeFrom, jwk: Object.freeze(jwk) })
}

/** RFC 7638: the name of a key that follows from the key itself. */
export function thumbprint(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
}

/** 32 bytes as base64url: 43 characters, the last of which carries two unused bits. */
const KEY_BYTES = /^[\w-]{42}[AEIMQUYcgkosw048]$/

const MAX_KID = 200

export type KeySetReading =
  | { readonly stored: readonly StoredKey[]; readonly keys: readonly SigningKey[]; readonly faults: readonly [] }
  | { readonly stored: null; readonly keys: null; readonly faults: readonly string[] }

export function readKeySet(text: string): KeySetReading {
  const entries = entriesOf(text)
  if (typeof entries === 'string') return { stored: null, keys: null, faults: [entries] }
  const faults: string[] = []
  const stored: StoredKey[] = []
  const keys: SigningKey[] = []
  for (const [index, entry] of entries.entries()) {
    const read = readEntry(entry)
    if (typeof read === 'string') faults.push(`keys[${index}]: ${read}`)
    else if (keys.some(({ kid }) => kid === read.key.kid)) faults.push(`keys[${index}]: its kid is not unique`)
    else {
      stored.push(read.stored)
      keys.push(read.key)
    }
  }
  if (faults.length === 0 && keys.every(({ privateKey }) => privateKey === null)) {
    faults.push('no key has its private part "d", so nothing can be signed')
  }
  return faults.length === 0 ? { stored, keys, faults: [] } : { stored: null, keys: null, faults }
}

function entriesOf(text: string): readonly unknown[] | string {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown }
    if (Array.isArray(keys) && keys.length > 0) return keys as unknown[]
    return 'there is no list "keys" with a key in it'
  } catch {
    // A PEM ends here too. The parser's own message would quote it.
    return 'it is not a JSON object { "keys": [...] }'
  }
}

function readEntry(entry: unknown): { stored: StoredKey; key: SigningKey } | string {
  if (typeof entry !== 'object' || entry === null) return 'it is not a JWK'
  const given = entry as Record<string, unknown>
  const fault = typeFault(given) ?? partFault(given)
  if (fault !== null) return fault
  const { x, d, kid, activeFrom = 0 } = entry as GivenKey
  const stored: StoredKey = {
    kty: 'OKP',
    crv: 'Ed25519',
    kid: kid ?? thumbprint(x),
    x,
    ...(d === undefined ? {} : { d }),
    alg: 'EdDSA',
    use: 'sig',
    activeFrom
  }
  try {
    return { stored, key: openKey(stored) }
  } catch {
    return 'its parts belong to different keys'
  }
}

interface GivenKey {
  readonly x: string
  readonly d?: string
  readonly kid?: string
  readonly activeFrom?: number
}

function typeFault({ kty, crv, alg, use }: Record<string, unknown>): string | null {
  if (kty !== 'OKP' || crv !== 'Ed25519') return 'it is not an Ed25519 key (kty OKP, crv Ed25519)'
  if (alg !== undefined && alg !== 'EdDSA') return 'its alg is not EdDSA'
  return use === undefined || use === 'sig' ? null : 'its use is not sig'
}

function partFault({ x, d, kid, activeFrom = 0 }: Record<string, unknown>): string | null {
  if (!isKeyBytes(x)) return 'its "x" is not 32 bytes of base64url'
  if (d !== undefined && !isKeyBytes(d)) return 'its "d" is not 32 bytes of base64url'
  if (kid !== undefined && !isName(kid)) return `its kid is not a text of 1 to ${MAX_KID} characters`
  const isTime = Number.isSafeInteger(activeFrom) && (activeFrom as number) >= 0
  return isTime ? null : 'its activeFrom is not epoch milliseconds'
}

function isKeyBytes(value: unknown): boolean {
  return typeof value === 'string' && KEY_BYTES.test(value)
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= MAX_KID
}
