/**
 * Signatures that were found good, by SHA-256 of the whole token, until it expires. It keeps what a signature proves and
 * nothing else: revocation and the subject are asked on every request. Least recently used goes first, and so many that
 * the tokens together stay below a bound: claims of long tokens take as much memory as their text.
 */
import { hash } from 'node:crypto'

/** No entry counts longer, however long its token lives. */
export const LONGEST_ENTRY_MS = 60_000

/** Characters of all tokens that are stored. */
export const MOST_CHARACTERS = 2 ** 20

interface Entry<Verified> {
  readonly verified: Verified
  /** Epoch ms. */
  readonly until: number
  /** Characters of the token. */
  readonly length: number
}

export class VerifiedTokenCache<Verified extends { readonly expiresAt: number }> {
  readonly #size: number
  readonly #entries = new Map<string, Entry<Verified>>()
  #characters = 0

  /** @param size number of tokens; 0 keeps none */
  constructor(size: number) {
    this.#size = size
  }

  get(token: string, now: number): Verified | null {
    if (this.#size === 0) return null
    const key = keyOf(token)
    const entry = this.#entries.get(key)
    if (entry === undefined) return null
    this.#entries.delete(key)
    if (entry.until <= now) {
      this.#characters -= entry.length
      return null
    }
    this.#entries.set(key, entry)
    return entry.verified
  }

  set(token: string, verified: Verified, now: number): void {
    if (this.#size === 0) return
    const key = keyOf(token)
    this.#characters += token.length - (this.#entries.get(key)?.length ?? 0)
    const until = Math.min(verified.expiresAt, now + LONGEST_ENTRY_MS)
    this.#entries.set(key, { verified, until, length: token.length })
    for (const [oldest, { length }] of this.#entries) {
      if (this.#entries.size <= this.#size && this.#characters <= MOST_CHARACTERS) break
      this.#entries.delete(oldest)
      this.#characters -= length
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#characters = 0
  }
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
