/** First in, first out, and the last can be taken back. Taking from either end costs the same whatever the length. */

/** So many empty places at the front are worth a copy. */
const COMPACT_FROM = 256

export class Fifo<Value> {
  #values: (Value | undefined)[] = []
  #first = 0

  get size(): number {
    return this.#values.length - this.#first
  }

  push(value: Value): void {
    this.#values.push(value)
  }

  /** Takes the oldest. */
  shift(): Value | undefined {
    if (this.size === 0) return undefined
    const value = this.#values[this.#first]
    this.#values[this.#first] = undefined
    this.#first += 1
    if (this.#first === this.#values.length || this.#first >= COMPACT_FROM) this.#compact()
    return value
  }

  /** Takes the newest. */
  pop(): Value | undefined {
    return this.size === 0 ? undefined : this.#values.pop()
  }

  /** Empties it. @returns what it held, oldest first */
  drain(): Value[] {
    const values: Value[] = []
    for (let value = this.shift(); value !== undefined; value = this.shift()) values.push(value)
    return values
  }

  /** Only when half is empty, so that each value is moved once on average. */
  #compact(): void {
    if (this.#first * 2 < this.#values.length) return
    this.#values = this.#values.slice(this.#first)
    this.#first = 0
  }
}
