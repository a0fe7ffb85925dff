/** One piece of work at a time for each key: what reads and then writes is not overtaken by its twin in this process. */

interface Queue {
  last: Promise<unknown>
  length: number
}

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
