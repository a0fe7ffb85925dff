/**
 * What login attempts are counted with: the part of rate-limiter-flexible's limiters that the throttle needs, so that
 * any of them (Redis, SQL, documents) serves; and the counter in memory.
 */
import type { Clock } from 'svc-kernel'

export interface Count {
  readonly consumedPoints: number
  /** Until the count is forgotten; -1 for never. */
  readonly msBeforeNext: number
}

export interface AttemptCounter {
  get(key: string): Promise<Count | null>
  /** Several at once, where a counter can answer them with one question. */
  getAll?(keys: readonly string[]): Promise<readonly (Count | null)[]>
  /** Adds to the count of a key and keeps the end of its time. A new one lasts `customDuration` seconds. */
  penalty(key: string, points?: number, options?: { readonly customDuration?: number }): Promise<Count>
  set(key: string, points: number, secDuration: number): Promise<Count>
  delete(key: string): Promise<boolean>
}

/** @returns in the order of the keys */
export function countsOf(counter: AttemptCounter, keys: readonly string[]): Promise<readonly (Count | null)[]> {
  return counter.getAll?.(keys) ?? Promise.all(keys.map((key) => counter.get(key)))
}

interface Entry {
  points: number
  from: number
  readonly lasts: number
}

export const MAX_TRACKED = 100_000

/**
 * Counts on the clock that it is given. Bounded: the oldest counts are forgotten first, and one of nothing is not kept.
 * A clock that is set back never makes a count last longer than it was meant to.
 */
export class MemoryCounter implements AttemptCounter {
  readonly #clock: Clock
  readonly #max: number
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock, max = MAX_TRACKED) {
    this.#clock = clock
    this.#max = max
  }

  async get(key: string): Promise<Count | null> {
    const entry = this.#live(key)
    return entry === undefined ? null : this.#count(entry)
  }

  /** A count of nothing, or of less, is not kept. */
  async penalty(key: string, points = 1, { customDuration = 0 } = {}): Promise<Count> {
    const entry = this.#live(key)
    if (entry === undefined) {
      return points > 0 ? this.set(key, points, customDuration) : { consumedPoints: points, msBeforeNext: 0 }
    }
    entry.points += points
    if (entry.points <= 0) this.#entries.delete(key)
    return this.#count(entry)
  }

  async set(key: string, points: number, secDuration: number): Promise<Count> {
    this.#entries.delete(key)
    // A Map keeps the order of its keys: the first is the oldest.
    if (this.#entries.size >= this.#max) this.#entries.delete(this.#entries.keys().next().value ?? '')
    const entry = { points, from: this.#clock.now(), lasts: secDuration * 1000 }
    this.#entries.set(key, entry)
    return this.#count(entry)
  }

  async delete(key: string): Promise<boolean> {
    return this.#entries.delete(key)
  }

  #live(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    const now = this.#clock.now()
    if (now < entry.from) entry.from = now
    if (entry.from + entry.lasts > now) return entry
    this.#entries.delete(key)
    return undefined
  }

  #count({ points, from, lasts }: Entry): Count {
    return { consumedPoints: points, msBeforeNext: from + lasts - this.#clock.now() }
  }
}
