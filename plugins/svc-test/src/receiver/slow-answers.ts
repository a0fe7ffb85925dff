/** Answers that take their time. Those that wait are let go when their client leaves or the server closes. */
import type { Clock } from 'svc-kernel'
import { TooManySlow } from '../errors.ts'

const MAX_WAITING = 1000

export class SlowAnswers {
  readonly #clock: Clock
  readonly #waiting = new Map<unknown, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.size
  }

  /**
   * Resolves after this time, or when it is let go.
   *
   * @param whenGone calls back when the client has left
   * @throws TooManySlow (503)
   */
  wait(ms: number, whenGone: (leave: () => void) => void): Promise<void> {
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new TooManySlow())
    return new Promise((resolve) => {
      const key = {}
      const leave = () => {
        if (!this.#waiting.delete(key)) return
        this.#clock.clearTimeout(timer)
        resolve()
      }
      const timer = this.#clock.setTimeout(leave, ms)
      this.#waiting.set(key, leave)
      whenGone(leave)
    })
  }

  letGo(): void {
    for (const leave of [...this.#waiting.values()]) leave()
  }
}
