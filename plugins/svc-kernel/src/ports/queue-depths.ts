/**
 * What waits inside an application, as `fastify.queueDepths`: a plugin with its own queue adds it while it registers,
 * and svc-ops shows it to administrators. Without svc-ops nothing is ever asked.
 */
export class QueueDepths {
  readonly #queues = new Map<string, () => number>()

  /** @param name unique in the application, such as `audit` @param depth how much waits in this process; cheap @returns `false` for a name that is taken */
  add(name: string, depth: () => number): boolean {
    if (this.#queues.has(name)) return false
    this.#queues.set(name, depth)
    return true
  }

  entries(): IterableIterator<[name: string, depth: () => number]> {
    return this.#queues.entries()
  }
}
