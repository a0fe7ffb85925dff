/**
 * Secrets at rest: AES-256-GCM under a key derived by HKDF-SHA256 (RFC 5869)
 * with its own context per use, so that a blob of one use never opens in
 * another. Blob: `gcm1.` + base64url(12-byte nonce + ciphertext + 16-byte tag).
 * The format and each context, once used, never change.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { InvalidSecretBox, InvalidSecretKey } from '../errors.ts'
import type { AppHost } from '../plugin/app-host.ts'

const FORMAT = 'gcm1.'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** 32 bytes of key material, base64 or raw. */
export type SecretKey = string | Uint8Array

/** Opens only what was sealed under one of its keys: same context, same format. */
export class SecretBox {
  readonly #keys: readonly Buffer[]

  /**
   * @param keys one, or several while a new one takes over: the first seals, each opens
   * @param context what the secrets are for, such as `svc-webhooks/secret`; part of the derivation
   * @throws InvalidSecretKey when the material is not exactly 32 bytes; its text is never shown.
   */
  constructor(keys: SecretKey | readonly SecretKey[], context: string) {
    this.#keys = secretKeys(keys).map((key) => derivedKey(key, context))
  }

  /** True while former keys are listed, whose secrets are to be sealed again. */
  get hasFormerKeys(): boolean {
    return this.#keys.length > 1
  }

  /** Encrypts UTF-8 text. `nonce` is for published vectors only: one nonce must never serve twice. */
  seal(plain: string, nonce: Uint8Array = randomBytes(NONCE_BYTES)): string {
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0] as Buffer, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(FORMAT))
    const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return FORMAT + sealed.toString('base64url')
  }

  /**
   * Decrypts what `seal` made.
   *
   * @throws InvalidSecretBox for another format version, a truncated or altered blob, or another key or context.
   */
  open(blob: string): string {
    return this.#opened(blob).plain
  }

  /**
   * @returns the same secret under the first key; `null` where it rests under that one already
   * @throws InvalidSecretBox as `open`
   */
  reseal(blob: string): string | null {
    const { plain, index } = this.#opened(blob)
    return index === 0 ? null : this.seal(plain)
  }

  /** Whether a text has the form of a blob. */
  static isBlob(text: string): boolean {
    return text.startsWith(FORMAT)
  }

  #opened(blob: string): { readonly plain: string; readonly index: number } {
    const sealed = readBlob(blob)
    for (const [index, key] of this.#keys.entries()) {
      const plain = decrypted(sealed, key)
      if (plain !== null) return { plain, index }
    }
    throw new InvalidSecretBox('authentication')
  }
}

/** @throws InvalidSecretKey for an empty list */
export function secretKeys(keys: SecretKey | readonly SecretKey[]): readonly SecretKey[] {
  const listed = Array.isArray(keys) ? (keys as readonly SecretKey[]) : [keys as SecretKey]
  if (listed.length === 0) throw new InvalidSecretKey('is an empty list')
  return listed
}

/** @throws InvalidSecretKey */
export function derivedKey(key: SecretKey, context: string): Buffer {
  const material = typeof key === 'string' ? decodeKey(key) : Buffer.from(key)
  if (material.length !== KEY_BYTES) throw new InvalidSecretKey(`decodes to ${material.length} bytes`)
  return Buffer.from(hkdfSync('sha256', material, Buffer.alloc(0), context, KEY_BYTES))
}

function readBlob(blob: string): Buffer {
  if (typeof blob !== 'string' || !blob.startsWith(FORMAT)) throw new InvalidSecretBox('format')
  const text = blob.slice(FORMAT.length)
  const sealed = Buffer.from(text, 'base64url')
  if (sealed.toString('base64url') !== text) throw new InvalidSecretBox('encoding')
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new InvalidSecretBox('length')
  return sealed
}

/** @returns `null` where this key, or the context it was derived for, did not seal it */
function decrypted(sealed: Buffer, key: Buffer): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(FORMAT))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    const plain = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([plain, decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** Base64 and base64url are both taken. Node decodes either and skips what is neither, hence the comparison. */
function decodeKey(key: string): Buffer {
  const bytes = Buffer.from(key, 'base64')
  const canonical = key.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  if (bytes.toString('base64').replace(/=+$/, '') !== canonical) throw new InvalidSecretKey('is not base64')
  return bytes
}

/** On the global object: a reload may load this very file again. */
const KEPT = Symbol.for('svc.development-secrets')

type Kept = Map<string, unknown>

/**
 * @param host two applications in one process have their own secrets
 * @param name what the secret is for, such as `svc-webhooks/secret`
 * @param make called once per process in development, else with every call
 */
export function developmentSecret<Secret>(host: AppHost, name: string, make: () => Secret): Secret {
  if (host.mode !== 'development') return make()
  const holder = globalThis as { [KEPT]?: Kept }
  holder[KEPT] ??= new Map()
  const key = JSON.stringify([host.root, name])
  if (!holder[KEPT].has(key)) holder[KEPT].set(key, make())
  return holder[KEPT].get(key) as Secret
}
