/** Records in the order of their numbers, bounded by number and by memory: the oldest goes first. */
import { type RequestRecord, sizeOf } from './request-record.ts'

export interface RequestBounds {
  /** Requests. */
  readonly capacity: number
  readonly maxBytes: number
}

export class RequestRing {
  readonly #bounds: RequestBounds
  readonly #onEvicted: (record: RequestRecord) => void
  readonly #slots: (RequestRecord | undefined)[] = []
  /** Positions count up: of the oldest that is stored, and of the next. */
  #first = 0
  #next = 0
  #bytes = 0

  constructor(bounds: RequestBounds, onEvicted: (record: RequestRecord) => void) {
    this.#bounds = bounds
    this.#onEvicted = onEvicted
  }

  get size(): number {
    return this.#next - this.#first
  }

  get bytes(): number {
    return this.#bytes
  }

  push(record: RequestRecord): void {
    const { capacity, maxBytes } = this.#bounds
    record.bytes = sizeOf(record)
    this.#bytes += record.bytes
    while (this.size > 0 && (this.size >= capacity || this.#bytes > maxBytes)) this.#evict()
    this.#slots[this.#next % capacity] = record
    this.#next += 1
  }

  /** @param age 0 is the newest @returns `undefined` beyond the oldest */
  at(age: number): RequestRecord | undefined {
    const position = this.#next - 1 - age
    return position < this.#first ? undefined : this.#slots[position % this.#bounds.capacity]
  }

  #evict(): void {
    const index = this.#first % this.#bounds.capacity
    const record = this.#slots[index]
    this.#slots[index] = undefined
    this.#first += 1
    if (record === undefined) return
    this.#bytes -= record.bytes
    this.#onEvicted(record)
  }
}
