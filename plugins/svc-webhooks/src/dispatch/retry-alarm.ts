/** The one timer of all retries: it rings when the earliest is due. */
import type { Clock } from 'svc-kernel'

export class RetryAlarm {
  readonly #clock: Clock
  readonly #ring: () => void
  #timer: unknown = null
  #at: number | null = null

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock
    this.#ring = ring
  }

  /** @param at epoch ms; `null` when nothing waits */
  set(at: number | null): void {
    if (at === this.#at) return
    this.cancel()
    if (at === null) return
    this.#at = at
    this.#timer = this.#clock.setTimeout(
      () => {
        this.#timer = null
        this.#at = null
        this.#ring()
      },
      Math.max(0, at - this.#clock.now())
    )
  }

  cancel(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    this.#timer = null
    this.#at = null
  }
}
