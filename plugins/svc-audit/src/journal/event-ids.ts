/**
 * Ids of events: a part drawn once per process, then a number that counts up, so
 * that they are unique, cheap, and in order within a millisecond.
 */
import { randomBytes } from 'node:crypto'

/** Ten digits for nine thousand million events: text and number have the same order. */
const FIRST = 1_000_000_000

export class EventIds {
  readonly #prefix = `aud_${randomBytes(9).toString('base64url')}_`
  #count = FIRST

  next(): string {
    this.#count += 1
    return this.#prefix + this.#count
  }
}
