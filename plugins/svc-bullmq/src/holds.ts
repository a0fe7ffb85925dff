/**
 * What the holders of this process hold, and of which endpoint it is. What a holder lost stays known until the next one
 * is lost: its attempts under way may still end.
 */
export interface Hold {
  readonly id: string
  readonly endpointId: string
}

export class Holds {
  readonly #byHolder = new Map<string, Map<string, Hold>>()
  #lost = new Map<string, Hold>()

  knows(holder: string): boolean {
    return this.#byHolder.has(holder)
  }

  enter(holder: string): void {
    this.#byHolder.set(holder, new Map())
  }

  hold(holder: string, hold: Hold): void {
    this.#byHolder.get(holder)?.set(hold.id, hold)
  }

  drop(holder: string, id: string): void {
    this.#byHolder.get(holder)?.delete(id)
    this.#lost.delete(id)
  }

  lose(holder: string): void {
    this.#lost = this.#byHolder.get(holder) ?? new Map()
    this.#byHolder.delete(holder)
  }

  leave(holder: string): void {
    this.#byHolder.delete(holder)
  }

  of(holder: string): Iterable<Hold> {
    return this.#byHolder.get(holder)?.values() ?? []
  }

  heldBy(holder: string, id: string): Hold | undefined {
    return this.#byHolder.get(holder)?.get(id)
  }

  /** Whoever of this process holds it, or held it last. */
  find(id: string): Hold | undefined {
    for (const held of this.#byHolder.values()) {
      const found = held.get(id)
      if (found !== undefined) return found
    }
    return this.#lost.get(id)
  }

  byEndpoint(holder: string): Map<string, Hold[]> {
    return grouped(this.of(holder))
  }
}

export function grouped<Entry extends { readonly endpointId: string }>(entries: Iterable<Entry>): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const group = groups.get(entry.endpointId)
    if (group === undefined) groups.set(entry.endpointId, [entry])
    else group.push(entry)
  }
  return groups
}
