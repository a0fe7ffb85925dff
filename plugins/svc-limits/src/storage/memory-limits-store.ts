/**
 * Budgets in memory, on the clock that it is given. It answers at once. Bounded: the keys that were there first are
 * forgotten first.
 */
import type { Clock } from 'svc-kernel'
import { type Pace, type Spent, spend } from '../limit/gcra.ts'
import type { LimitsStore, Spending } from './limits-store.ts'

/** Keys that are stored, of all limits. */
export const MAX_KEYS = 100_000

/** Values by key, of which the first is forgotten for one too many. */
export class BoundedTimes extends Map<string, number> {
  readonly #max: number

  constructor(max = MAX_KEYS) {
    super()
    this.#max = max
  }

  override set(key: string, value: number): this {
    // A Map keeps the order of its keys: the first is the oldest.
    if (this.size >= this.#max && !this.has(key)) this.delete(this.keys().next().value as string)
    return super.set(key, value)
  }

  /** @returns how many were removed */
  removeUpTo(value: number): number {
    const before = this.size
    for (const [key, each] of this) if (each <= value) this.delete(key)
    return before - this.size
  }
}

export class MemoryLimitsStore implements LimitsStore {
  readonly #clock: Clock
  /** Theoretical arrival times, epoch microseconds. */
  readonly #tats: BoundedTimes

  constructor(clock: Clock, max = MAX_KEYS) {
    this.#clock = clock
    this.#tats = new BoundedTimes(max)
  }

  take(name: string, caller: string, pace: Pace, cost: number): Spent {
    const now = this.#now()
    const id = `${name}\n${caller}`
    const spent = spend(this.#tats.get(id) ?? 0, now, pace, cost)
    // Written where it is refused as well: a clock that was set back waits once.
    this.#tats.set(id, now + spent.aheadUs)
    return spent
  }

  giveBack(name: string, caller: string, { intervalUs }: Pace, cost: number): void {
    const id = `${name}\n${caller}`
    const tat = this.#tats.get(id) ?? 0
    if (tat > this.#now()) this.#tats.set(id, tat - cost * intervalUs)
  }

  async spending(name: string, count: number): Promise<readonly Spending[]> {
    const now = this.#now()
    const prefix = `${name}\n`
    const found: Spending[] = []
    for (const [id, tat] of this.#tats) {
      if (tat > now && id.startsWith(prefix)) found.push({ caller: id.slice(prefix.length), aheadUs: tat - now })
    }
    return found.sort((a, b) => b.aheadUs - a.aheadUs).slice(0, count)
  }

  async purge(): Promise<number> {
    return this.#tats.removeUpTo(this.#now())
  }

  #now(): number {
    return this.#clock.now() * 1000
  }
}
