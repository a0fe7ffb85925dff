/**
 * What this process has seen of locks that others hold. A holder is dead when its row has stood still for its lease, on
 * the clock of this process. No time of another machine is compared, so clocks that differ, or are set, free nothing.
 */
import type { Clock } from 'svc-kernel'
import type { LockRow } from './lock-table.ts'

/** Names that are remembered between calls; of more, the oldest is watched from its beginning again. */
const MOST = 1000

interface Watch {
  readonly token: string
  readonly beat: number
  readonly timer: unknown
  hasExpired: boolean
}

export class Watches {
  readonly #clock: Clock
  readonly #seen = new Map<string, Watch>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param row as it was just read @returns whether its holder let the lease expire */
  hasExpired(row: LockRow): boolean {
    const { id, token, beat, leaseMs } = row
    const known = this.#seen.get(id)
    if (known?.token === token && known.beat === beat) return known.hasExpired
    this.forget(id)
    const timer = this.#clock.setTimeout(() => {
      watch.hasExpired = true
    }, leaseMs)
    const watch: Watch = { token, beat, timer, hasExpired: false }
    this.#seen.set(id, watch)
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > MOST && oldest !== undefined) this.forget(oldest)
    return false
  }

  forget(name: string): void {
    this.#clock.clearTimeout(this.#seen.get(name)?.timer)
    this.#seen.delete(name)
  }

  clear(): void {
    for (const name of [...this.#seen.keys()]) this.forget(name)
  }
}
