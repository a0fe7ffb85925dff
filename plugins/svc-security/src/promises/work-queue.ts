/** How much work runs at a time in this process: so much of a kind, or one for each key. The rest waits in order. */

/**
 * Bounds costly work: so much at a time, so much waiting, the rest is refused. Hashing shares Node's thread pool with
 * files and DNS; logins must not starve them.
 */
export class WorkQueue {
  readonly #atOnce: number
  readonly #maxWaiting: number
  readonly #full: () => Error
  readonly #waiting: Array<() => void> = []
  #running = 0

  /** @param full makes the error of work that is refused */
  constructor({ atOnce, maxWaiting }: { readonly atOnce: number; readonly maxWaiting: number }, full: () => Error) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
    this.#full = full
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Runs `work` when there is a slot for it. Rejects at once when too much waits already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await this.#slot()
    else this.#running += 1
    try {
      return await work()
    } finally {
      // The slot is handed on, not given up: work that comes in between does not take it.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  #slot(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) throw this.#full()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

interface Queue {
  last: Promise<unknown>
  length: number
}

/** One piece of work at a time for each key: what reads and then writes is not overtaken by its twin in this process. */
export class KeyedMutex {
  readonly #queues = new Map<string, Queue>()

  /** How many hold or wait for a key. */
  waiting(key: string): number {
    return this.#queues.get(key)?.length ?? 0
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    const mine = queue.last.then(work, work)
    queue.last = mine
    queue.length += 1
    this.#queues.set(key, queue)
    try {
      return await mine
    } finally {
      queue.length -= 1
      if (queue.length === 0) this.#queues.delete(key)
    }
  }
}
