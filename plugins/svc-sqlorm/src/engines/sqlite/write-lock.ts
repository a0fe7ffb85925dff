/**
 * Who may write. SQLite has one writer, so that transactions of concurrent
 * requests must take turns on the one connection: first come, first served, and
 * no waiter waits longer than `waitMs`.
 */
import type { Clock } from 'svc-kernel'

interface Waiter {
  readonly enter: () => void
  readonly timer: unknown
}

export class WriteLock {
  readonly #clock: Clock
  readonly #waitMs: number
  readonly #waiters = new Set<Waiter>()
  #held = false

  constructor(clock: Clock, waitMs: number) {
    this.#clock = clock
    this.#waitMs = waitMs
  }

  get waiting(): number {
    return this.#waiters.size
  }

  /** `true` when it was free and is the caller's now. */
  tryAcquire(): boolean {
    if (this.#held) return false
    this.#held = true
    return true
  }

  /** @throws WriteLockTimeout */
  async acquire(): Promise<void> {
    if (this.tryAcquire()) return
    await new Promise<void>((resolve, reject) => {
      const give = () => {
        this.#waiters.delete(waiter)
        reject(new WriteLockTimeout())
      }
      const waiter: Waiter = { enter: resolve, timer: this.#clock.setTimeout(give, this.#waitMs) }
      this.#waiters.add(waiter)
    })
  }

  /** Hands it to whoever has waited longest. */
  release(): void {
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter)
      this.#clock.clearTimeout(waiter.timer)
      waiter.enter()
      return
    }
    this.#held = false
  }
}

export class WriteLockTimeout extends Error {
  constructor() {
    super('another transaction blocked the database for too long')
  }
}
