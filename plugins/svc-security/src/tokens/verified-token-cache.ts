/**
 * Signatures that were found good, by SHA-256 of the whole token. Off unless the
 * operator sets a size. It keeps what a signature proves and nothing else: expiry,
 * revocation and the subject are asked on every request. Least recently used goes first.
 */
import { hash } from 'node:crypto'

/** No entry counts longer, however long its token lives. */
export const LONGEST_ENTRY_MS = 60_000

export class VerifiedTokenCache<Verified extends { readonly expiresAt: number }> {
  readonly #size: number
  readonly #entries = new Map<string, { readonly verified: Verified; readonly until: number }>()

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
    if (entry.until <= now) return null
    this.#entries.set(key, entry)
    return entry.verified
  }

  set(token: string, verified: Verified, now: number): void {
    if (this.#size === 0) return
    this.#entries.set(keyOf(token), { verified, until: Math.min(verified.expiresAt, now + LONGEST_ENTRY_MS) })
    if (this.#entries.size <= this.#size) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      break
    }
  }

  clear(): void {
    this.#entries.clear()
  }
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
