/**
 * Bounds costly work: so much at a time, so much waiting, the rest is turned away.
 * Hashing shares Node's thread pool with files and DNS; logins must not starve them.
 */

export class WorkQueue {
  readonly #atOnce: number
  readonly #maxWaiting: number
  readonly #full: () => Error
  readonly #waiting: Array<() => void> = []
  #running = 0

  /** @param full makes the error of work that finds no place */
  constructor({ atOnce, maxWaiting }: { readonly atOnce: number; readonly maxWaiting: number }, full: () => Error) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
    this.#full = full
  }

  /** Runs `work` in its turn. Rejects at once when too much waits already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#turn()
    else this.#running += 1
    try {
      return await work()
    } finally {
      // The place is handed on, not given up, so that nobody slips in between.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) throw this.#full()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
