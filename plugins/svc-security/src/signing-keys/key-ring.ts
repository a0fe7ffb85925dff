/** The key set in force. Replaced as a whole; whoever keeps something derived from it compares `current`. */
import { NoSigningKeys } from '../errors.ts'
import type { KeySet } from './key-set.ts'

export class KeyRing {
  #current: KeySet | null

  /** @param first `null` where the application uses no signed tokens */
  constructor(first: KeySet | null) {
    this.#current = first
  }

  /** @throws NoSigningKeys */
  get current(): KeySet {
    if (this.#current === null) throw new NoSigningKeys()
    return this.#current
  }

  /** Takes effect with the next token: one of a key that is gone is refused at once. */
  replace(next: KeySet): void {
    this.#current = next
  }
}
