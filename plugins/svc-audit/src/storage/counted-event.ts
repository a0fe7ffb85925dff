/**
 * An event that stands for all that repeat it: counting costs an addition, and the frozen event that shows the count is
 * made when somebody reads it. It counts as long as memory holds it.
 */
import type { AuditEvent } from 'svc-kernel'

export class CountedEvent {
  readonly #first: AuditEvent
  #shown: AuditEvent
  #shownCount = 1
  #count = 1
  #lastAt = 0
  #held = true

  constructor(first: AuditEvent) {
    this.#first = first
    this.#shown = first
  }

  /** @param now epoch ms. @returns `false` when memory has pushed the event out, and nothing was counted */
  add(now: number): boolean {
    if (!this.#held) return false
    this.#count += 1
    this.#lastAt = now
    return true
  }

  /** The first event, with how many it counts and when the last of them was, once there is more than one. */
  read(): AuditEvent {
    if (this.#shownCount !== this.#count) {
      const metadata = Object.freeze({ ...this.#first.metadata, count: this.#count, lastAt: this.#lastAt })
      this.#shown = Object.freeze({ ...this.#first, metadata })
      this.#shownCount = this.#count
    }
    return this.#shown
  }

  /** It was pushed out. */
  release(): void {
    this.#held = false
  }
}
