/**
 * Reads a stored key set, `{ "keys": [JWK, ...] }`, and names everything that is
 * wrong with it. No text of a key is ever part of a message. Pure.
 */
import { openKey, type SigningKey, type StoredKey, thumbprint } from './signing-key.ts'

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
    faults.push('no key has its private part "d": nothing could be signed')
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
    return 'its parts are not those of one key'
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
