/**
 * What the workers of this process hold, and of which lane it is. What a worker lost stays known until the next one
 * is lost: its attempts under way may still end.
 */
export interface Hold {
  readonly id: string
  readonly lane: string
}

export class Holds {
  readonly #byWorker = new Map<string, Map<string, Hold>>()
  #lost = new Map<string, Hold>()

  knows(worker: string): boolean {
    return this.#byWorker.has(worker)
  }

  enter(worker: string): void {
    this.#byWorker.set(worker, new Map())
  }

  hold(worker: string, hold: Hold): void {
    this.#byWorker.get(worker)?.set(hold.id, hold)
  }

  drop(worker: string, id: string): void {
    this.#byWorker.get(worker)?.delete(id)
    this.#lost.delete(id)
  }

  lose(worker: string): void {
    this.#lost = this.#byWorker.get(worker) ?? new Map()
    this.#byWorker.delete(worker)
  }

  leave(worker: string): void {
    this.#byWorker.delete(worker)
  }

  of(worker: string): Iterable<Hold> {
    return this.#byWorker.get(worker)?.values() ?? []
  }

  heldBy(worker: string, id: string): Hold | undefined {
    return this.#byWorker.get(worker)?.get(id)
  }

  /** Whoever of this process holds it, or held it last. */
  find(id: string): Hold | undefined {
    for (const held of this.#byWorker.values()) {
      const found = held.get(id)
      if (found !== undefined) return found
    }
    return this.#lost.get(id)
  }

  byLane(worker: string): Map<string, Hold[]> {
    return Map.groupBy(this.of(worker), ({ lane }) => lane)
  }
}
