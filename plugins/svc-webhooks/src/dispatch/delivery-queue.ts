/**
 * The one bounded queue. A delivery holds a place from its admission to its
 * outcome, also while it is under way or waits for a retry. Endpoints take turns,
 * each within its share of the slots. When all places are taken, an endpoint
 * below its fair part displaces the newest delivery of the one that holds most.
 */
import type { DeliveryJob } from './delivery-job.ts'
import { type EndpointPace, shareOf } from './endpoint-pace.ts'
import { Fifo } from './fifo.ts'
import { LaneSizes } from './lane-sizes.ts'
import { RetryHeap } from './retry-heap.ts'

export interface QueueBounds {
  readonly maxQueue: number
  readonly maxConcurrent: number
}

/** What belongs to one endpoint. It exists while it holds a place. */
interface Lane {
  readonly endpointId: string
  readonly queued: Fifo<DeliveryJob>
  places: number
  inFlight: number
  pace: EndpointPace
}

export class DeliveryQueue {
  readonly #bounds: QueueBounds
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lane>()
  readonly #retries = new RetryHeap()
  readonly #sizes = new LaneSizes()
  #places = 0
  #inFlight = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  /** Places taken. */
  get places(): number {
    return this.#places
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** When the earliest retry is due, epoch ms; `null` when none waits. */
  get nextDue(): number | null {
    return this.#retries.nextDue
  }

  /** @returns what found no room: `null`, the newcomer, or the one that it displaced */
  admit(job: DeliveryJob): DeliveryJob | null {
    if (this.#places >= this.#bounds.maxQueue) {
      const displaced = this.#makeRoomFor(job.endpointId)
      if (displaced === undefined) return job
      this.#enter(job)
      return displaced
    }
    this.#enter(job)
    return null
  }

  /** Takes the next delivery into a slot; `undefined` when no slot is free or nobody may take it. */
  next(): DeliveryJob | undefined {
    const { maxConcurrent } = this.#bounds
    if (this.#inFlight >= maxConcurrent) return undefined
    const alone = this.#lanes.size === 1
    for (const lane of this.#lanes.values()) {
      if (lane.queued.size === 0 || lane.inFlight >= shareOf(lane.pace, maxConcurrent, alone)) continue
      // To the end: the others come first now.
      this.#lanes.delete(lane.endpointId)
      this.#lanes.set(lane.endpointId, lane)
      lane.inFlight += 1
      this.#inFlight += 1
      return lane.queued.shift()
    }
    return undefined
  }

  /** The attempt of the delivery in a slot has failed, and another will follow. It keeps its place. */
  retryAt(job: DeliveryJob, dueAt: number): void {
    this.#leaveSlot(job, 'unproven')
    this.#retries.push(job, dueAt)
  }

  /** The delivery in a slot has ended. @param pace absent when the receiver was not asked */
  finish(job: DeliveryJob, pace?: EndpointPace): void {
    this.#leaveSlot(job, pace)
    this.#leave(job)
  }

  /** Lets the retries that are due wait for a slot. */
  ripen(now: number): void {
    for (let job = this.#retries.takeDue(now); job !== undefined; job = this.#retries.takeDue(now)) {
      this.#lanes.get(job.endpointId)?.queued.push(job)
    }
  }

  /** Takes everything out that is not in a slot: of one endpoint, or of all. */
  clear(endpointId?: string): DeliveryJob[] {
    const lanes = endpointId === undefined ? [...this.#lanes.values()] : [this.#lanes.get(endpointId)]
    const jobs = this.#retries.takeAll(endpointId)
    for (const lane of lanes) jobs.push(...(lane?.queued.drain() ?? []))
    for (const job of jobs) this.#leave(job)
    return jobs
  }

  #enter(job: DeliveryJob): void {
    const { endpointId } = job
    let lane = this.#lanes.get(endpointId)
    if (lane === undefined) {
      lane = { endpointId, queued: new Fifo(), places: 0, inFlight: 0, pace: 'unproven' }
      this.#lanes.set(endpointId, lane)
    }
    lane.queued.push(job)
    lane.places += 1
    this.#sizes.grown(lane.places)
    this.#places += 1
  }

  #leaveSlot({ endpointId }: DeliveryJob, pace: EndpointPace | undefined): void {
    this.#inFlight -= 1
    const lane = this.#lanes.get(endpointId)
    if (lane === undefined) return
    lane.inFlight -= 1
    lane.pace = pace ?? lane.pace
  }

  #leave({ endpointId }: DeliveryJob): void {
    this.#places -= 1
    const lane = this.#lanes.get(endpointId)
    if (lane === undefined) return
    this.#sizes.shrunk(lane.places)
    lane.places -= 1
    if (lane.places === 0) this.#lanes.delete(endpointId)
  }

  #makeRoomFor(endpointId: string): DeliveryJob | undefined {
    const own = this.#lanes.get(endpointId)?.places ?? 0
    // Told at once where there is nobody to displace: in a burst nothing is searched.
    if (own >= this.#places / this.#lanes.size || this.#sizes.largest <= own + 1) return undefined
    const largest = this.#largestLane()
    if (largest === undefined) return undefined
    const displaced = largest.queued.pop() ?? this.#retries.takeLatest(largest.endpointId)
    if (displaced !== undefined) this.#leave(displaced)
    return displaced
  }
  #largestLane(): Lane | undefined {
    for (const lane of this.#lanes.values()) if (lane.places === this.#sizes.largest) return lane
    return undefined
  }
}
