/** Endpoints of like health that have deliveries: their places, their attempts under way, and their turns. */
import type { DeliveryJob } from './delivery-job.ts'
import type { EndpointHealth } from './endpoint-health.ts'
import type { Fifo } from './fifo.ts'
import { QueueSizes } from './queue-sizes.ts'

/** What belongs to one endpoint. It exists while it holds a place. */
export interface EndpointQueue {
  readonly endpointId: string
  readonly queued: Fifo<DeliveryJob>
  places: number
  inFlight: number
  health: EndpointHealth
  /** An attempt has been made, or another instance has made one. */
  asked: boolean
}

export class EndpointGroup {
  readonly #members = new Set<EndpointQueue>()
  /** Those with something to send, in the order of their turns. */
  readonly #ready = new Set<EndpointQueue>()
  readonly #sizes = new QueueSizes()
  places = 0
  inFlight = 0

  /** How many endpoints. */
  get size(): number {
    return this.#members.size
  }

  /** Places of the endpoint that holds most. */
  get largest(): number {
    return this.#sizes.largest
  }

  join(queue: EndpointQueue): void {
    this.#members.add(queue)
    for (let place = 1; place <= queue.places; place += 1) this.#sizes.grown(place)
    this.places += queue.places
    this.inFlight += queue.inFlight
    this.offer(queue)
  }

  leave(queue: EndpointQueue): void {
    this.#members.delete(queue)
    this.#ready.delete(queue)
    for (let place = queue.places; place > 0; place -= 1) this.#sizes.shrunk(place)
    this.places -= queue.places
    this.inFlight -= queue.inFlight
  }

  grow(queue: EndpointQueue): void {
    queue.places += 1
    this.places += 1
    this.#sizes.grown(queue.places)
  }

  shrink(queue: EndpointQueue): void {
    this.#sizes.shrunk(queue.places)
    queue.places -= 1
    this.places -= 1
  }

  /** It takes turns while it has something to send. */
  offer(queue: EndpointQueue): void {
    if (queue.queued.size > 0) this.#ready.add(queue)
    else this.#ready.delete(queue)
  }

  /** Its turn has come: the others come first now. */
  taken(queue: EndpointQueue): void {
    this.#ready.delete(queue)
    this.offer(queue)
  }

  /** The first in turn with fewer attempts under way than this. */
  first(share: number): EndpointQueue | undefined {
    for (const queue of this.#ready) if (queue.inFlight < share) return queue
    return undefined
  }

  /** The last in turn of those that were never asked. */
  lastUnasked(): EndpointQueue | undefined {
    let last: EndpointQueue | undefined
    for (const queue of this.#ready) if (!queue.asked) last = queue
    return last
  }

  /** The one that holds most, if not all of that is under way. */
  heaviest(): EndpointQueue | undefined {
    for (const queue of this.#members) {
      if (queue.places === this.#sizes.largest && queue.places > queue.inFlight) return queue
    }
    return undefined
  }
}
