/**
 * Equality of secrets without their text: HMAC-SHA256 (RFC 2104) under a key derived by HKDF-SHA256 (RFC 5869) with a
 * context of its own per use. Who has no key cannot try guesses. Text: base64url, 43 characters.
 */
import { createHmac } from 'node:crypto'
import { derivedKey, type SecretKey, secretKeys } from './secret-box.ts'

export class KeyedHash {
  readonly #keys: readonly Buffer[]

  /**
   * @param keys as of `SecretBox`: the first one hashes, all are looked for @param context part of the derivation
   * @throws InvalidSecretKey when the material is not exactly 32 bytes
   */
  constructor(keys: SecretKey | readonly SecretKey[], context: string) {
    this.#keys = secretKeys(keys).map((key) => derivedKey(key, context))
  }

  /** Under the first key. */
  of(text: string): string {
    return hashed(this.#keys[0] as Buffer, text)
  }

  /** Under each key, the first one first: what may be stored while a new key takes over. */
  every(text: string): readonly string[] {
    return this.#keys.map((key) => hashed(key, text))
  }
}

function hashed(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('base64url')
}
