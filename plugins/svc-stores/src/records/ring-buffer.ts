/** The newest values, up to a fixed number. Pushing overwrites the oldest and allocates nothing once it is full. */

export class RingBuffer<Value> {
  readonly #slots: Value[] = []
  readonly #capacity: number
  #next = 0

  /** @param capacity at least 1 */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#slots.length
  }

  push(value: Value): void {
    this.#slots[this.#next] = value
    this.#next = this.#next + 1 === this.#capacity ? 0 : this.#next + 1
  }

  /** Newest first. */
  *newest(): Generator<Value> {
    for (let age = 1; age <= this.#slots.length; age += 1) {
      const index = this.#next - age
      yield this.#slots[index < 0 ? index + this.#slots.length : index] as Value
    }
  }

  /** Keeps what matches, in order. @returns how many were removed */
  retain(matches: (value: Value) => boolean): number {
    const kept = [...this.newest()].filter(matches).reverse()
    const removed = this.#slots.length - kept.length
    if (removed === 0) return 0
    this.#slots.length = 0
    this.#next = 0
    for (const value of kept) this.push(value)
    return removed
  }
}
