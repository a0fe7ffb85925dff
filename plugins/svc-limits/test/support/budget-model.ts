/**
 * What a limit lets through, written without the algorithm: a pail of `burst` units that loses `perInterval` of its
 * content evenly, and takes a call as a whole or not at all. In exact integers: content is counted in units times
 * interval.
 */
export class BudgetModel {
  readonly #burst: number
  readonly #interval: number
  /** Content times interval. */
  #content = 0
  #at = 0

  constructor(burst: number, interval: number) {
    this.#burst = burst
    this.#interval = interval
  }

  /** @param now in the unit of the interval, never less than before */
  take(now: number, cost: number): boolean {
    this.#content = Math.max(0, this.#content - (now - this.#at))
    this.#at = now
    const after = this.#content + cost * this.#interval
    if (after > this.#burst * this.#interval) return false
    this.#content = after
    return true
  }
}
