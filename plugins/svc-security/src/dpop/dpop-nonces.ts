/**
 * Nonces that a server gives to who proves a key (RFC 9449, 8). One follows from the time and a key of the key set, so
 * that every instance knows those of the others, and none is stored.
 */
import { createHash, sign } from 'node:crypto'
import type { KeyRing } from '../signing-keys/key-set.ts'
import type { SigningKey } from '../signing-keys/signing-key.ts'

/** Never changes. */
const CONTEXT = 'svc-security/dpop-nonce\0'

interface Period {
  readonly key: SigningKey
  readonly number: number
  readonly nonces: readonly [before: string, now: string, next: string]
}

export class DpopNonces {
  readonly #ring: KeyRing
  readonly #lifeMs: number
  #period: Period | null = null

  /** @param lifeMs of a nonce; one is taken for as long again */
  constructor(ring: KeyRing, lifeMs: number) {
    this.#ring = ring
    this.#lifeMs = lifeMs
  }

  /** @param now epoch ms */
  current(now: number): string {
    return this.#periodOf(now).nonces[1]
  }

  /** That of the next period too, as the clock of the instance that gave it may be ahead. */
  holds(nonce: unknown, now: number): boolean {
    return typeof nonce === 'string' && this.#periodOf(now).nonces.includes(nonce)
  }

  #periodOf(now: number): Period {
    const key = this.#ring.current.signingKey(now)
    const number = Math.floor(now / this.#lifeMs)
    if (this.#period?.key !== key || this.#period.number !== number) {
      const nonce = (of: number) => nonceOf(key, `${this.#lifeMs}\0${of}`)
      this.#period = { key, number, nonces: [nonce(number - 1), nonce(number), nonce(number + 1)] }
    }
    return this.#period
  }
}

function nonceOf({ privateKey }: SigningKey, period: string): string {
  // A key set that signs has a private part. Ed25519 signs the same text always alike (RFC 8032, 5.1.6).
  const signature = sign(null, Buffer.from(CONTEXT + period), privateKey as NonNullable<typeof privateKey>)
  return createHash('sha256').update(signature).digest('base64url')
}
