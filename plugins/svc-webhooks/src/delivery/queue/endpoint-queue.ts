/**
 * What waits for one endpoint, and which endpoint gets a free slot: endpoints of like health form groups, each with its
 * share of the slots. Pure.
 */
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
  group: EndpointGroup
  /** An attempt has been made, or another instance has made one. */
  asked: boolean
}

/** Endpoints of like health: their deliveries, attempts under way and order. */
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
    queue.group = this
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

  /** A slot was taken: the others come first now. */
  taken(queue: EndpointQueue): void {
    queue.inFlight += 1
    this.inFlight += 1
    this.#ready.delete(queue)
    this.offer(queue)
  }

  /** A slot was left. */
  left(queue: EndpointQueue): void {
    queue.inFlight -= 1
    this.inFlight -= 1
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
      if (queue.deliveries === this.largest && queue.deliveries > queue.inFlight) return queue
    }
    return undefined
  }
}

/** How many attempts may run at a time; each number is at least 1. */
export interface SlotShares {
  /** To all endpoints that are not quick, together: at most half of the slots, the others are kept for quick ones. */
  readonly notQuick: number
  /** To all that are slow or failing: one fewer, so that an endpoint that was never asked finds a slot. */
  readonly slowOrFailing: number
  /** To one endpoint, by its health, while others have deliveries too. */
  readonly each: Readonly<Record<EndpointHealth, number>>
  /** To the only endpoint that has any. */
  readonly alone: Readonly<Record<EndpointHealth, number>>
}

export function slotShares(maxConcurrent: number): SlotShares {
  const part = (of: number) => Math.max(1, Math.floor(maxConcurrent * of))
  const quarter = part(0.25)
  // Less than half, but of a few slots two: one for what hangs, one for what was never asked.
  const notQuick = Math.max(1, Math.min(2, part(0.5)), Math.ceil(maxConcurrent / 2) - 1)
  return {
    notQuick,
    slowOrFailing: Math.max(1, notQuick - 1),
    each: { unproven: 1, failing: quarter, slow: quarter, quick: part(0.75) },
    alone: { unproven: quarter, failing: quarter, slow: part(0.5), quick: maxConcurrent }
  }
}

export class SlotScheduler {
  readonly quick = new EndpointGroup()
  readonly #unproven = new EndpointGroup()
  /** Slow or failing. */
  readonly #slow = new EndpointGroup()
  readonly notQuick: readonly EndpointGroup[] = [this.#unproven, this.#slow]
  readonly all: readonly EndpointGroup[] = [this.quick, ...this.notQuick]
  readonly #shares: SlotShares
  #quickFirst = false
  #fromTheEnd = false

  constructor(maxConcurrent: number) {
    this.#shares = slotShares(maxConcurrent)
  }

  groupOf(health: EndpointHealth): EndpointGroup {
    if (health === 'quick') return this.quick
    return health === 'unproven' ? this.#unproven : this.#slow
  }

  /**
   * Quick endpoints and others alternate, where both have something to send and a slot to send it.
   *
   * @param alone only one endpoint has deliveries
   */
  next(alone: boolean): EndpointQueue | undefined {
    const share = alone ? this.#shares.alone : this.#shares.each
    const quick = this.quick.first(share.quick)
    this.#quickFirst = !this.#quickFirst
    if (quick !== undefined && this.#quickFirst) return quick
    const { notQuick, slowOrFailing } = this.#shares
    if (!alone && this.#unproven.inFlight + this.#slow.inFlight >= notQuick) return quick
    const unproven = this.#nextUnproven(share.unproven)
    if (unproven !== undefined) return unproven
    if (!alone && this.#slow.inFlight >= slowOrFailing) return quick
    const slow = this.#slow.first(share.slow)
    return slow !== undefined && slow.inFlight < share[slow.health] ? slow : quick
  }

  /** From both ends alternately: where many were never asked, neither the first nor the last waits for all the others. */
  #nextUnproven(share: number): EndpointQueue | undefined {
    const first = this.#unproven.first(share)
    if (first === undefined) return undefined
    this.#fromTheEnd = !this.#fromTheEnd
    return this.#fromTheEnd ? first : (this.#unproven.lastUnasked() ?? first)
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

/** First in, first out, and the last can be taken back. Taking from either end costs the same whatever the length. */
export class Fifo<Value> {
  #values: (Value | undefined)[] = []
  #first = 0

  get size(): number {
    return this.#values.length - this.#first
  }

  /** Oldest first. */
  get values(): readonly Value[] {
    return this.#values.slice(this.#first) as Value[]
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
    // Only when half is empty, so that each value is moved once on average.
    if (this.#first * 2 >= this.#values.length) {
      this.#values = this.#values.slice(this.#first)
      this.#first = 0
    }
    return value
  }

  /** Takes the newest. */
  pop(): Value | undefined {
    return this.size === 0 ? undefined : this.#values.pop()
  }

  /** Takes the newest that matches. */
  takeLast(matches: (value: Value) => boolean): Value | undefined {
    for (let index = this.#values.length - 1; index >= this.#first; index -= 1) {
      if (matches(this.#values[index] as Value)) return this.#values.splice(index, 1)[0]
    }
    return undefined
  }

  /** Empties it. @returns what it held, oldest first */
  drain(): readonly Value[] {
    const { values } = this
    this.#values = []
    this.#first = 0
    return values
  }
}
