/** Who listens to what in this process. A message is written once and handed to each subscriber. */
export interface Subscriber {
  /** @param frame whole text frame, shared: never changed */
  deliver(frame: Buffer): void
}

export class Hub {
  readonly #channels = new Map<string, Set<Subscriber>>()

  /** Channels somebody listens to. */
  get size(): number {
    return this.#channels.size
  }

  hears(channel: string): boolean {
    return this.#channels.has(channel)
  }

  join(channel: string, subscriber: Subscriber): void {
    const subscribers = this.#channels.get(channel)
    if (subscribers === undefined) this.#channels.set(channel, new Set([subscriber]))
    else subscribers.add(subscriber)
  }

  leave(channel: string, subscriber: Subscriber): void {
    const subscribers = this.#channels.get(channel)
    if (subscribers?.delete(subscriber) && subscribers.size === 0) this.#channels.delete(channel)
  }

  deliver(channel: string, frame: Buffer): void {
    const subscribers = this.#channels.get(channel)
    if (subscribers === undefined) return
    for (const subscriber of subscribers) subscriber.deliver(frame)
  }
}
