/** Numbers that look random and are the same in every run (mulberry32). */

export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to `bound - 1`. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * bound)
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] as T
  }

  /** Lets up to `most` turns of the event loop pass, sometimes none. */
  async pause(most = 4): Promise<void> {
    for (let turns = this.below(most + 1); turns > 0; turns -= 1) await new Promise((resume) => setImmediate(resume))
  }
}
