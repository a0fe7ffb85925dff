/** What waits for one endpoint, and endpoints of like health as a group: their deliveries, attempts under way and order. */
import type { DeliveryJob } from './delivery-job.ts'

/**
 * `unproven`: never asked, or its last attempt failed at once. `failing`: the last attempt failed and took its time.
 * `slow`: it answers, and takes its time. Only `quick` endpoints have slots and room in the queue kept for them.
 */
export type EndpointHealth = 'unproven' | 'failing' | 'slow' | 'quick'

/** An attempt that takes longer, in ms, holds up whoever shares the slots. */
export const QUICK_MS = 1_000

/** What belongs to one endpoint. It exists while it has deliveries. */
export interface EndpointQueue {
  readonly endpointId: string
  readonly queued: Fifo<DeliveryJob>
  /** From admission to outcome: queued, under way, or due for a retry. */
  deliveries: number
  inFlight: number
  health: EndpointHealth
  /** An attempt has been made, or another instance has made one. */
  asked: boolean
}

export class EndpointGroup {
  readonly #members = new Set<EndpointQueue>()
  /** Those with something to send, in their order. */
  readonly #ready = new Set<EndpointQueue>()
  readonly #sizes = new QueueSizes()
  deliveries = 0
  inFlight = 0

  /** How many endpoints. */
  get size(): number {
    return this.#members.size
  }

  /** Deliveries of the endpoint that has most. */
  get largest(): number {
    return this.#sizes.largest
  }

  join(queue: EndpointQueue): void {
    this.#members.add(queue)
    for (let size = 1; size <= queue.deliveries; size += 1) this.#sizes.grown(size)
    this.deliveries += queue.deliveries
    this.inFlight += queue.inFlight
    this.offer(queue)
  }

  leave(queue: EndpointQueue): void {
    this.#members.delete(queue)
    this.#ready.delete(queue)
    for (let size = queue.deliveries; size > 0; size -= 1) this.#sizes.shrunk(size)
    this.deliveries -= queue.deliveries
    this.inFlight -= queue.inFlight
  }

  grow(queue: EndpointQueue): void {
    queue.deliveries += 1
    this.deliveries += 1
    this.#sizes.grown(queue.deliveries)
  }

  shrink(queue: EndpointQueue): void {
    this.#sizes.shrunk(queue.deliveries)
    queue.deliveries -= 1
    this.deliveries -= 1
  }

  /** It is in the order while it has something to send. */
  offer(queue: EndpointQueue): void {
    if (queue.queued.size > 0) this.#ready.add(queue)
    else this.#ready.delete(queue)
  }

  /** It was served: the others come first now. */
  served(queue: EndpointQueue): void {
    this.#ready.delete(queue)
    this.offer(queue)
  }

  /** The first in order with fewer attempts under way than this. */
  first(share: number): EndpointQueue | undefined {
    for (const queue of this.#ready) if (queue.inFlight < share) return queue
    return undefined
  }

  /** The last in order of those that were never asked. */
  lastUnasked(): EndpointQueue | undefined {
    let last: EndpointQueue | undefined
    for (const queue of this.#ready) if (!queue.asked) last = queue
    return last
  }

  /** The one with most deliveries, if not all of them are under way. */
  heaviest(): EndpointQueue | undefined {
    for (const queue of this.#members) {
      if (queue.deliveries === this.#sizes.largest && queue.deliveries > queue.inFlight) return queue
    }
    return undefined
  }
}

/** The size of the largest queue, kept up as queues grow and shrink by one: asking costs nothing. */
export class QueueSizes {
  /** At an index, how many queues have at least so many deliveries. */
  readonly #atLeast: number[] = []
  #largest = 0

  /** Deliveries of the largest queue; 0 where there is none. */
  get largest(): number {
    return this.#largest
  }

  /** @param size of a queue that has one more than before */
  grown(size: number): void {
    this.#atLeast[size] = (this.#atLeast[size] ?? 0) + 1
    this.#largest = Math.max(this.#largest, size)
  }

  /** @param size of a queue that is about to have one less */
  shrunk(size: number): void {
    const left = (this.#atLeast[size] ?? 0) - 1
    this.#atLeast[size] = left
    if (left === 0 && size === this.#largest) this.#largest -= 1
  }
}

/** Empty entries at the front that are worth a copy. */
const COMPACT_FROM = 256

/** First in, first out, and the last can be taken back. Taking from either end costs the same whatever the length. */
export class Fifo<Value> {
  #values: (Value | undefined)[] = []
  #first = 0

  get size(): number {
    return this.#values.length - this.#first
  }

  push(value: Value): void {
    this.#values.push(value)
  }

  /** Takes the oldest. */
  shift(): Value | undefined {
    if (this.size === 0) return undefined
    const value = this.#values[this.#first]
    this.#values[this.#first] = undefined
    this.#first += 1
    if (this.#first === this.#values.length || this.#first >= COMPACT_FROM) this.#compact()
    return value
  }

  /** Takes the newest. */
  pop(): Value | undefined {
    return this.size === 0 ? undefined : this.#values.pop()
  }

  /** Empties it. @returns what it held, oldest first */
  drain(): Value[] {
    const values: Value[] = []
    for (let value = this.shift(); value !== undefined; value = this.shift()) values.push(value)
    return values
  }

  /** Only when half is empty, so that each value is moved once on average. */
  #compact(): void {
    if (this.#first * 2 < this.#values.length) return
    this.#values = this.#values.slice(this.#first)
    this.#first = 0
  }
}
