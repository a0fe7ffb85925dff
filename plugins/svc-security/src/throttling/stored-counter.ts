/**
 * Counts in the store of the application, as the throttle asks for them. A clock that is set back never makes a count last
 * longer than it was meant to.
 */
import type { Clock } from 'svc-kernel'
import type { AttemptCounter, Count } from './attempt-counter.ts'
import type { AttemptRecord, AttemptsStore } from './attempts-store.ts'

/** Clocks of instances may differ by this much, in ms, without a count being put right. */
const TOLERANCE_MS = 5_000

export class StoredCounter implements AttemptCounter {
  readonly #store: AttemptsStore
  readonly #clock: Clock

  constructor(store: AttemptsStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async get(key: string): Promise<Count | null> {
    const [count = null] = await this.getAll([key])
    return count
  }

  async getAll(keys: readonly string[]): Promise<readonly (Count | null)[]> {
    const found = new Map((await this.#store.find(keys)).map((record) => [record.id, record]))
    const counts = keys.map((key) => {
      const record = found.get(key)
      return record === undefined || record.points <= 0 ? null : this.#inTime(record)
    })
    return Promise.all(counts)
  }

  /** A count of nothing, or of less, is not begun. */
  async penalty(key: string, points = 1, { customDuration = 0 } = {}): Promise<Count> {
    if (points <= 0 && (await this.get(key)) === null) return { consumedPoints: points, msBeforeNext: 0 }
    return this.#count(await this.#store.add(key, points, customDuration * 1000))
  }

  async set(key: string, points: number, secDuration: number): Promise<Count> {
    return this.#count(await this.#store.set(key, points, secDuration * 1000))
  }

  delete(key: string): Promise<boolean> {
    return this.#store.delete(key)
  }

  /** From the future: the clock was set back, and it begins now. */
  async #inTime(record: AttemptRecord): Promise<Count> {
    const { id, points, createdAt, expiresAt } = record
    if (createdAt - this.#clock.now() <= TOLERANCE_MS) return this.#count(record)
    return this.#count(await this.#store.set(id, points, expiresAt - createdAt))
  }

  #count({ points, expiresAt }: AttemptRecord): Count {
    return { consumedPoints: points, msBeforeNext: Math.max(0, expiresAt - this.#clock.now()) }
  }
}
