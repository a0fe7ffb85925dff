/** The size of the largest queue, kept up as queues grow and shrink by one place: asking costs nothing. */

export class QueueSizes {
  /** At an index, how many queues have at least so many places. */
  readonly #atLeast: number[] = []
  #largest = 0

  /** Places of the largest queue; 0 where there is none. */
  get largest(): number {
    return this.#largest
  }

  /** @param places of a queue that has one more than before */
  grown(places: number): void {
    this.#atLeast[places] = (this.#atLeast[places] ?? 0) + 1
    this.#largest = Math.max(this.#largest, places)
  }

  /** @param places of a queue that is about to have one less */
  shrunk(places: number): void {
    const left = (this.#atLeast[places] ?? 0) - 1
    this.#atLeast[places] = left
    if (left === 0 && places === this.#largest) this.#largest -= 1
  }
}
