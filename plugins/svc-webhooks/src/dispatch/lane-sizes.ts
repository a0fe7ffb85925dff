/** How large the largest lane is, kept up as lanes grow and shrink by one place: asking costs nothing. */

export class LaneSizes {
  /** At an index, how many lanes have at least so many places. */
  readonly #atLeast: number[] = []
  #largest = 0

  /** Places of the largest lane; 0 where there is none. */
  get largest(): number {
    return this.#largest
  }

  /** @param places of a lane that has one more than before */
  grown(places: number): void {
    this.#atLeast[places] = (this.#atLeast[places] ?? 0) + 1
    this.#largest = Math.max(this.#largest, places)
  }

  /** @param places of a lane that is about to have one less */
  shrunk(places: number): void {
    const left = (this.#atLeast[places] ?? 0) - 1
    this.#atLeast[places] = left
    if (left === 0 && places === this.#largest) this.#largest -= 1
  }
}
