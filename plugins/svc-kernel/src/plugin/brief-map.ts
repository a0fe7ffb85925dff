/**
 * A map whose entries come and go by the thousand, as of jobs that run. V8 gives a busy `Map` one table after the other, and
 * a table that is old keeps all after it, with what they held, until old objects are collected: each collection of young
 * ones copies that. Here it is an empty cell.
 */

interface Cell<Value> {
  value: Value | undefined
}

export class BriefMap<Key, Value extends object> {
  readonly #cells = new Map<Key, Cell<Value>>()

  get size(): number {
    return this.#cells.size
  }

  keys(): Iterable<Key> {
    return this.#cells.keys()
  }

  *values(): Iterable<Value> {
    for (const { value } of this.#cells.values()) if (value !== undefined) yield value
  }

  has(key: Key): boolean {
    return this.#cells.has(key)
  }

  get(key: Key): Value | undefined {
    return this.#cells.get(key)?.value
  }

  set(key: Key, value: Value): void {
    const cell = this.#cells.get(key)
    if (cell === undefined) this.#cells.set(key, { value })
    else cell.value = value
  }

  /** @returns whether it was there */
  delete(key: Key): boolean {
    const cell = this.#cells.get(key)
    if (cell !== undefined) cell.value = undefined
    return this.#cells.delete(key)
  }

  clear(): void {
    for (const key of this.#cells.keys()) this.delete(key)
  }
}
