/** Pauses between attempts to open a connection: 1 s, doubling, at most 30 s. The timer does not keep the process alive. */
import type { Clock } from 'svc-kernel'

const FIRST_MS = 1000
const LONGEST_MS = 30_000

export class RetryDelay {
  readonly #clock: Clock
  #delayMs = FIRST_MS
  #timer: ReturnType<Clock['setTimeout']> | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @returns the pause before `attempt`, in ms */
  next(attempt: () => void): number {
    const delayMs = this.#delayMs
    this.#delayMs = Math.min(delayMs * 2, LONGEST_MS)
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null
      attempt()
    }, delayMs)
    return delayMs
  }

  /** Whether an attempt is still to come. */
  get pending(): boolean {
    return this.#timer !== null
  }

  stop(): void {
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer)
    this.#timer = null
  }
}
