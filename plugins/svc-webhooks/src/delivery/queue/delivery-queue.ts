/**
 * The one bounded queue. A delivery counts from its admission to its outcome, also while it is under way or waits for a
 * retry. Endpoints alternate, each within its share of the slots. Endpoints that are not quick hold less than half of the
 * slots together, and half of the queue once others want it: what hangs cannot hold up what works. So it is with refusals
 * that callers provoke.
 */
import type { WebhooksConfig } from '../../options.ts'
import type { DeliveryJob } from './delivery-job.ts'
import {
  type EndpointGroup,
  type EndpointHealth,
  type EndpointQueue,
  Fifo,
  QUICK_MS,
  SlotScheduler
} from './endpoint-queue.ts'
import { Refusals } from './refusals.ts'
import { RetryQueue, type Waiting } from './retries.ts'

/** Options of the plugin. */
export type QueueBounds = Pick<WebhooksConfig, 'maxQueue' | 'maxConcurrent'>

export interface QueueState {
  /** Deliveries that wait for a slot or for their retry. */
  readonly size: number
  /** Attempts under way. */
  readonly inFlight: number
  /** Since the start of this instance. */
  readonly dropped: number
}

/** Endpoints deleted on another instance are not forgotten here: the oldest makes room. */
const MAX_KNOWN = 10_000

export class DeliveryQueue {
  readonly #bounds: QueueBounds
  readonly #slots: SlotScheduler
  readonly #queues = new Map<string, EndpointQueue>()
  /** What the last attempt said of an endpoint, also while nothing waits for it. */
  readonly #known = new Map<string, EndpointHealth>()
  /** When attempts at quick endpoints began, epoch ms, the earliest first. */
  readonly #timed = new Map<DeliveryJob, number>()
  readonly #retries = new RetryQueue()
  readonly #refusals = new Refusals()
  #size = 0
  #inFlight = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
    this.#slots = new SlotScheduler(bounds.maxConcurrent)
  }

  /** Deliveries in it, those under way included. */
  get size(): number {
    return this.#size
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** When the earliest retry is due, epoch ms; `null` when none waits. */
  get nextDue(): number | null {
    return this.#retries.nextDue
  }

  /** Deliveries that wait for endpoints that are quick: those that slots will soon be free for. */
  get soon(): number {
    const { deliveries, inFlight } = this.#slots.quick
    return deliveries - inFlight
  }

  /**
   * How many more of an endpoint may come in where what does not fit waits elsewhere: endpoints that are not quick share
   * half of the places, so that there is always room for those that are.
   */
  room(endpointId: string): number {
    const { maxQueue, maxConcurrent } = this.#bounds
    const { quick, notQuick } = this.#slots
    const queue = this.#queues.get(endpointId)
    const half = Math.ceil(maxQueue / 2)
    const own = queue?.deliveries ?? 0
    const free = maxQueue - this.#size
    if ((queue?.health ?? this.#known.get(endpointId)) === 'quick') return Math.min(half - own, free)
    const others = notQuick.reduce((sum, group) => sum + group.size, queue === undefined ? 1 : 0)
    const share = Math.max(1, Math.min(maxConcurrent, Math.floor(half / others)))
    return Math.min(share - own, half - (this.#size - quick.deliveries), free)
  }

  /** @returns what found no room: `null`, the newcomer, or the one that it displaced */
  admit(job: DeliveryJob): DeliveryJob | null {
    const displaced = this.#size < this.#bounds.maxQueue ? null : this.#makeRoomFor(job)
    if (displaced === undefined) return job
    this.#enter(job)
    return displaced
  }

  /** Takes the next delivery into a slot; `undefined` when no slot is free or nothing may take it. @param now epoch ms */
  next(now: number): DeliveryJob | undefined {
    if (this.#inFlight >= this.#bounds.maxConcurrent) return undefined
    this.#demote(now)
    const queue = this.#slots.next(this.#queues.size === 1)
    const job = queue?.queued.shift()
    if (queue === undefined || job === undefined) return undefined
    queue.asked = true
    queue.group.taken(queue)
    this.#inFlight += 1
    if (queue.health === 'quick') this.#timed.set(job, now)
    return job
  }

  /**
   * The attempt of the delivery in a slot has failed, and another will follow. It stays in the queue.
   *
   * @param health absent when the receiver was not asked
   */
  retryAt(job: DeliveryJob, dueAt: number, health?: EndpointHealth): void {
    this.#leaveSlot(job, health)
    this.#retries.push(job, dueAt)
  }

  /** The delivery in a slot has ended. @param health absent when the receiver was not asked */
  finish(job: DeliveryJob, health?: EndpointHealth): void {
    this.#leaveSlot(job, health)
    this.#leave(job)
  }

  /** Lets the retries that are due wait for a slot. */
  promote(now: number): void {
    for (const job of this.#retries.takeDue(now)) {
      const queue = this.#queues.get(job.endpointId)
      if (queue === undefined) continue
      queue.queued.push(job)
      queue.group.offer(queue)
    }
  }

  /** Takes everything out that is not in a slot: of one endpoint, or of all. */
  clear(endpointId?: string): DeliveryJob[] {
    let jobs = this.#retries.takeAll(endpointId)
    for (const queue of this.#queues.values()) {
      if (endpointId !== undefined && endpointId !== queue.endpointId) continue
      jobs = jobs.concat(queue.queued.drain())
      queue.group.offer(queue)
    }
    for (const job of jobs) this.#leave(job)
    return jobs
  }

  /** What waits for an endpoint, the next first, and how many are in slots. @param now epoch ms: what is queued is due */
  pendingOf(endpointId: string, now: number): { readonly sending: number; readonly waiting: readonly Waiting[] } {
    const queue = this.#queues.get(endpointId)
    if (queue === undefined) return { sending: 0, waiting: [] }
    const queued = queue.queued.values.map((job) => ({ job, dueAt: now }))
    return { sending: queue.inFlight, waiting: [...queued, ...this.#retries.of(endpointId)] }
  }

  /** Sets the health of an endpoint that was not asked yet, as another instance knows it. */
  presume(endpointId: string, health: EndpointHealth): void {
    if (!this.#known.has(endpointId)) this.#learn(endpointId, health)
  }

  /** What was learnt of an endpoint holds no longer: it was changed or deleted. */
  forget(endpointId: string): void {
    this.#learn(endpointId, 'unproven')
    this.#known.delete(endpointId)
    const queue = this.#queues.get(endpointId)
    if (queue !== undefined) queue.asked = false
  }

  /** An endpoint whose attempt has been under way for too long is not quick any more. */
  #demote(now: number): void {
    for (const [job, began] of this.#timed) {
      if (now - began <= QUICK_MS) return
      this.#timed.delete(job)
      this.#learn(job.endpointId, 'slow')
    }
  }

  #enter(job: DeliveryJob): void {
    const queue = this.#queues.get(job.endpointId) ?? this.#open(job.endpointId)
    queue.queued.push(job)
    queue.group.grow(queue)
    queue.group.offer(queue)
    this.#size += 1
    this.#refusals.entered(job)
  }

  #open(endpointId: string): EndpointQueue {
    const known = this.#known.get(endpointId)
    const health = known ?? 'unproven'
    const group = this.#slots.groupOf(health)
    const asked = known !== undefined
    const queue = { endpointId, queued: new Fifo<DeliveryJob>(), deliveries: 0, inFlight: 0, health, group, asked }
    this.#queues.set(endpointId, queue)
    group.join(queue)
    return queue
  }

  #leaveSlot(job: DeliveryJob, health: EndpointHealth | undefined): void {
    const queue = this.#queues.get(job.endpointId)
    this.#timed.delete(job)
    this.#inFlight -= 1
    queue?.group.left(queue)
    if (queue !== undefined && health !== undefined) this.#learn(job.endpointId, health)
  }

  #leave(job: DeliveryJob): void {
    this.#size -= 1
    this.#refusals.left(job)
    const queue = this.#queues.get(job.endpointId)
    if (queue === undefined) return
    queue.group.shrink(queue)
    if (queue.deliveries > 0) return
    this.#queues.delete(job.endpointId)
    queue.group.leave(queue)
  }

  #learn(endpointId: string, health: EndpointHealth): void {
    this.#known.set(endpointId, health)
    const [oldest = ''] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest)
    const queue = this.#queues.get(endpointId)
    if (queue === undefined) return
    queue.health = health
    const group = this.#slots.groupOf(health)
    if (queue.group === group) return
    queue.group.leave(queue)
    group.join(queue)
  }

  #makeRoomFor(job: DeliveryJob): DeliveryJob | undefined {
    const refusal = this.#refusals.givesWay(job, this.#bounds.maxQueue / 2)
    if (refusal === 'itself') return undefined
    const displaced = refusal === null ? undefined : this.#takeLatestFrom(refusal.source)
    return displaced ?? this.#displaceFor(job.endpointId)
  }

  /** Takes out what a network provoked last, of what is not in a slot. */
  #takeLatestFrom(source: string): DeliveryJob | undefined {
    const isFrom = (job: DeliveryJob) => job.source === source
    for (const queue of this.#queues.values()) {
      const job = queue.queued.takeLast(isFrom)
      if (job === undefined) continue
      queue.group.offer(queue)
      this.#leave(job)
      return job
    }
    const job = this.#retries.takeLatest(isFrom)
    if (job !== undefined) this.#leave(job)
    return job
  }

  /**
   * A quick endpoint displaces what is not quick while that holds more than half of the queue. Among its like, and
   * where quick endpoints hold more than half, one below the average displaces the one that holds most.
   */
  #displaceFor(endpointId: string): DeliveryJob | undefined {
    const queue = this.#queues.get(endpointId)
    const isQuick = (queue?.health ?? this.#known.get(endpointId)) === 'quick'
    const { quick, notQuick, all } = this.#slots
    const half = this.#bounds.maxQueue / 2
    if (isQuick && this.#size - quick.deliveries > half) return this.#displaceIn(notQuick)
    const rivals = isQuick ? [quick] : quick.deliveries > half ? all : notQuick
    const own = queue?.deliveries ?? 0
    const deliveries = rivals.reduce((sum, group) => sum + group.deliveries, 0)
    const endpoints = rivals.reduce((sum, group) => sum + group.size, 0)
    const largest = Math.max(...rivals.map((group) => group.largest))
    // Known at once where there is nothing to displace: in a burst nothing is searched.
    return own >= deliveries / endpoints || largest <= own + 1 ? undefined : this.#displaceIn(rivals)
  }

  #displaceIn(groups: readonly EndpointGroup[]): DeliveryJob | undefined {
    const group = groups.reduce((one, other) => (other.largest > one.largest ? other : one))
    const queue = group.heaviest()
    if (queue === undefined) return undefined
    const displaced =
      queue.queued.pop() ?? this.#retries.takeLatest(({ endpointId }) => endpointId === queue.endpointId)
    group.offer(queue)
    if (displaced !== undefined) this.#leave(displaced)
    return displaced
  }
}
