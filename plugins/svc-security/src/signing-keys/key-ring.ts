/** The key set in force. Replaced as a whole; whoever keeps something derived from it compares `current`. */
import type { KeySet } from './key-set.ts'

export class KeyRing {
  #current: KeySet

  constructor(first: KeySet) {
    this.#current = first
  }

  get current(): KeySet {
    return this.#current
  }

  /** Takes effect with the next token: one of a key that is gone is refused at once. */
  replace(next: KeySet): void {
    this.#current = next
  }
}
