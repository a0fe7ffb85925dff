/**
 * Admits less work at once than the pool has connections. A transaction counts until it has ended: a server may let an
 * operation wait for what a transaction has locked, and if such operations had all connections, the transaction would get
 * none to end with.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** As a part of all connections. */
const ADMITTED = 0.9

export interface PoolAdmissionOptions {
  readonly maxPoolSize: number
  /** How long work waits before it begins all the same, in milliseconds. */
  readonly patienceMs: number
  /** Without a server, work fails by itself, and waits for nothing here. */
  readonly connected: () => boolean
}

export class PoolAdmission {
  readonly #options: PoolAdmissionOptions
  readonly #inside = new AsyncLocalStorage<true>()
  /** In the order in which they came. @param counts whether it takes the place that is free */
  readonly #waiting = new Set<(counts: boolean) => void>()
  #free: number

  constructor(options: PoolAdmissionOptions) {
    this.#options = options
    // The others are for native access, which nobody counts, and for what transactions do beside themselves.
    this.#free = Math.max(1, Math.floor(options.maxPoolSize * ADMITTED))
  }

  /** An operation outside of a transaction: it has a connection while it runs. */
  async operation<T>(work: () => Promise<T>): Promise<T> {
    const counts = await this.#admitted()
    try {
      return await work()
    } finally {
      if (counts) this.#leave()
    }
  }

  /** It has a connection at most at a time, and needs one until it has ended. */
  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.operation(() => this.#inside.run(true, work))
  }

  #admitted(): boolean | Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1
      return true
    }
    // What a transaction waits for must not wait for the transaction.
    if (this.#inside.getStore() === true || !this.#options.connected()) return false
    return new Promise((resolve) => {
      const begin = (counts: boolean) => {
        clearTimeout(timer)
        this.#waiting.delete(begin)
        resolve(counts)
      }
      const timer = setTimeout(begin, this.#options.patienceMs, false)
      timer.unref()
      this.#waiting.add(begin)
    })
  }

  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free += 1
    else next(true)
  }
}
