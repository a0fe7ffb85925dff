/**
 * Values of sealed fields at rest: in a secret box, and for the search for equal ones as a keyed hash. Both contexts are
 * part of what is stored and never change, whatever fields and entities are called.
 */
import { KeyedHash, SecretBox, type SecretKey } from 'svc-kernel/plugin'
import type { CompiledField } from '../entities/compiled-entity.ts'
import { sealedText, unsealedValue } from './sealed-text.ts'

const BOX = 'svc-orm/sealed-field'
const HASH = 'svc-orm/sealed-field-hash'

/** Under which key a stored text rests; `plain`: it was stored before its field was sealed. */
export type SealedUnder = 'first' | 'former' | 'plain' | 'unreadable'

export class Sealing {
  readonly #box: SecretBox
  readonly #hash: KeyedHash

  /** @param keys 32 bytes, base64 or raw; of several the first seals, each opens @throws InvalidSecretKey */
  constructor(keys: SecretKey | readonly SecretKey[]) {
    this.#box = new SecretBox(keys, BOX)
    this.#hash = new KeyedHash(keys, HASH)
  }

  get hasFormerKeys(): boolean {
    return this.#box.hasFormerKeys
  }

  /** @param value of the column, not null */
  seal(field: CompiledField, value: unknown): string {
    return this.#box.seal(sealedText(field, value))
  }

  /**
   * Text from before the field was sealed is given back as it is.
   *
   * @returns the value of the column
   * @throws InvalidSecretBox for what none of the keys sealed
   */
  open(field: CompiledField, stored: string): unknown {
    return isPlain(field, stored) ? stored : unsealedValue(field, this.#box.open(stored))
  }

  /** Equal for equal values under the first key. */
  hash(field: CompiledField, value: unknown): string {
    return this.#hash.of(sealedText(field, value))
  }

  /** What rows may have as hash of this value: under each key. */
  hashes(field: CompiledField, value: unknown): readonly string[] {
    return this.#hash.every(sealedText(field, value))
  }

  /** @returns the same under the first key; `null` where it rests under that one already @throws InvalidSecretBox */
  reseal(stored: string): string | null {
    return this.#box.reseal(stored)
  }

  under(field: CompiledField, stored: string): SealedUnder {
    if (isPlain(field, stored)) return 'plain'
    try {
      return this.reseal(stored) === null ? 'first' : 'former'
    } catch {
      return 'unreadable'
    }
  }
}

/** Only a field of text can have had values in this very column before. */
function isPlain({ fieldType, array }: CompiledField, stored: string): boolean {
  return fieldType.storage === 'text' && !array && !SecretBox.isBlob(stored)
}
