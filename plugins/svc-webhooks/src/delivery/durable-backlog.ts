/**
 * Deliveries that outlive the process: stored before they are sent, and shared by instances. The slots hold as many as
 * they can soon send; all others wait in the queue, for whichever instance has room first. What fails goes back there.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isAnnounced } from 'svc-kernel/plugin'
import type { AttemptEnd } from './attempt.ts'
import type { Backlog } from './backlog.ts'
import type { DeliveryChannel } from './delivery-channels.ts'
import type { DropCounter } from './drop-counter.ts'
import { Admission, type Admitted } from './durable/admission.ts'
import { Claims } from './durable/claims.ts'
import type { DurableQueue, HeldDelivery } from './durable/durable-queue.ts'
import { heldJob } from './durable/held-job.ts'
import { Outages } from './durable/outages.ts'
import { type PlaceBounds, Places } from './durable/places.ts'
import { Presence } from './durable/presence.ts'
import { QueueView } from './durable/queue-view.ts'
import { Settlements } from './durable/settlements.ts'
import { timedCall, timedQueue } from './durable/timed-queue.ts'
import type { BacklogState, PendingDeliveries } from './queue/backlog-state.ts'
import { DeliveryJob } from './queue/delivery-job.ts'
import type { DeliveryQueue } from './queue/delivery-queue.ts'
import type { EndpointHealth } from './queue/endpoint-queue.ts'
import { retryDelayMs } from './retry-schedule.ts'

export interface DurableParts {
  readonly queue: DurableQueue
  /** Seconds before each retry. */
  readonly retryScheduleS: readonly number[]
  readonly random?: () => number
}

export interface DurableBacklogParts {
  readonly queue: DeliveryQueue
  readonly drops: DropCounter
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly limits: PlaceBounds
  readonly publish: (name: DeliveryChannel, job: DeliveryJob) => void
  /** Fills free slots. */
  readonly pump: () => void
}

/** How often an instance looks for what is due, what others left and what it could not take before, ms. */
const LOOK_MS = 1_000
const NONE: ReadonlySet<string> = new Set()

export class DurableBacklog implements Backlog {
  readonly #parts: DurableBacklogParts
  readonly #durable: DurableParts
  /** Its calls have a deadline. */
  readonly #queue: DurableQueue
  readonly #admission: Admission
  readonly #settlements: Settlements
  readonly #presence: Presence
  readonly #outages: Outages
  readonly #claims: Claims
  readonly #places: Places
  readonly #view: QueueView
  /** Ids that it holds, until the queue knows that they ended. */
  readonly #held = new Set<string>()
  #timer: unknown = null
  #stopped = false
  #lost = 0

  constructor(parts: DurableBacklogParts, durable: DurableParts) {
    const { clock, log } = parts
    this.#parts = parts
    this.#durable = durable
    this.#queue = timedQueue(durable.queue, clock)
    this.#places = new Places(parts)
    this.#view = new QueueView({ queue: this.#queue, report: (error, text) => this.#report(error, text) })
    this.#admission = new Admission({
      clock,
      log,
      wanted: (batch) => (this.#stopped || !this.#presence.alive ? NONE : this.#places.wanted(batch)),
      write: (batch) => this.#presence.holding((holder) => durable.queue.admit(holder, batch)),
      onStored: (batch, held) => this.#stored(batch, held),
      onUnwritable: ({ endpointId, event }) => parts.publish('discarded', new DeliveryJob(endpointId, event))
    })
    this.#presence = new Presence({
      extend: this.#queue.extend,
      leave: this.#queue.leave,
      onLost: () => {
        // What is under way ends; what was not begun is with others, but for messages sent by hand.
        this.#held.clear()
        for (const job of parts.queue.clear()) {
          if (job.manual) parts.queue.admit(job)
          else this.#places.leave(job)
        }
      },
      onFailed: (error) => this.#report(error, 'the queue of webhook deliveries could not be reached')
    })
    this.#claims = new Claims({
      places: () => this.#places.free,
      room: (endpointId) => this.#places.claimable(endpointId),
      alive: () => this.#presence.alive,
      claim: (limit, room) => this.#claim(limit, room),
      onClaimed: (found) => this.#claimed(found),
      onFailed: (error) => this.#report(error, 'webhook deliveries could not be read from their queue')
    })
    this.#outages = new Outages({
      clock,
      hasten: this.#queue.hasten,
      onHastened: () => void this.#claims.takeMore(),
      onFailed: (error) => this.#report(error, 'deliveries of a recovered endpoint keep their schedule')
    })
    this.#settlements = new Settlements({
      clock,
      write: (settlement) => this.#queue.settle(this.#presence.holder, settlement),
      onWritten: ({ ended }) => {
        for (const id of ended) this.#held.delete(id)
      },
      onFailed: (error) => this.#report(error, 'the outcome of webhook deliveries could not be stored')
    })
  }

  get lost(): number {
    return this.#lost
  }

  async start(): Promise<void> {
    await this.#look()
  }

  admit(job: DeliveryJob): boolean {
    if (job.manual) return this.#admitByHand(job)
    if (this.#admission.add(job.endpointId, job.event)) return true
    if (this.#stopped) this.#lost += 1
    this.#parts.drops.count(job.endpointId)
    this.#parts.publish('dropped', job)
    return false
  }

  admitted(): Promise<void> {
    return this.#admission.stored()
  }

  retries({ attempts }: DeliveryJob): boolean {
    return attempts <= this.#durable.retryScheduleS.length
  }

  retry(job: DeliveryJob, end: AttemptEnd, health: EndpointHealth | undefined): boolean {
    const { clock } = this.#parts
    const { retryScheduleS, random = Math.random } = this.#durable
    const delayMs = retryDelayMs(retryScheduleS, job.attempts, end, clock.now(), random) ?? 0
    const { id } = job.message()
    this.#held.delete(id)
    this.#outages.failed(job.endpointId)
    this.#settlements.retried({ id, attempts: job.attempts, delayMs })
    this.#leave(job, health)
    return true
  }

  finish(job: DeliveryJob, health?: EndpointHealth, isDelivered = false): void {
    this.#leave(job, health)
    if (isDelivered) this.#outages.delivered(job.endpointId, job.attempts)
    if (!job.manual) this.#settlements.ended(job.message().id)
  }

  filled(): void {
    const { queue, drops, limits } = this.#parts
    if (this.#claims.isMore && queue.soon <= limits.maxConcurrent) void this.#claims.take()
    drops.over()
  }

  discard(endpointId: string): readonly DeliveryJob[] {
    const jobs = this.#parts.queue.clear(endpointId)
    this.#outages.forget(endpointId)
    for (const job of jobs) {
      this.#places.leave(job)
      if (!job.manual) this.#settlements.ended(job.message().id)
    }
    this.#queue.discard(endpointId).catch((error: unknown) => {
      // Each is looked at again before it is sent, and discarded then.
      this.#report(error, 'the deliveries of an endpoint could not be removed')
    })
    return jobs
  }

  state(): Promise<BacklogState> {
    return this.#view.state(this.#parts.drops.total)
  }

  pending(endpointId: string, limit: number): Promise<PendingDeliveries | null> {
    return this.#view.pending(endpointId, limit)
  }

  /** What waits here stays in the queue: nothing is given up but messages sent by hand. */
  stop(): readonly DeliveryJob[] {
    this.#stopped = true
    this.#claims.stop()
    if (this.#timer !== null) this.#parts.clock.clearTimeout(this.#timer)
    this.#timer = null
    const manual = this.#parts.queue.clear().filter((job) => job.manual)
    this.#lost += manual.length
    return manual
  }

  async close(): Promise<void> {
    await this.#outages.stop()
    await this.#claims.over()
    this.#lost += await this.#admission.close()
    try {
      await this.#settlements.flush()
      await this.#presence.leave()
      const { waiting, held } = await this.#queue.counts()
      if (waiting + held > 0) {
        const text = `${waiting + held} webhook deliveries are waiting in their queue`
        this.#parts.log.info({ waiting, held, lost: this.#lost }, text)
      }
    } catch (error) {
      // Nothing is lost: another instance takes over what a silent one holds, and sends it, some of it again.
      this.#report(error, 'webhook deliveries could not be returned to their queue')
    }
  }

  #leave(job: DeliveryJob, health: EndpointHealth | undefined): void {
    this.#parts.queue.finish(job, health)
    this.#places.leave(job)
    this.#claims.left(job.endpointId)
  }

  #admitByHand(job: DeliveryJob): boolean {
    if (this.#stopped) return false
    const refused = this.#parts.queue.admit(job)
    if (refused !== null) this.#displaced(refused)
    if (refused === job) return false
    this.#parts.publish('enqueued', job)
    return true
  }

  #stored(batch: readonly Admitted[], held: ReadonlySet<string>): void {
    this.#places.stored()
    for (const { id, endpointId, event } of batch) {
      const job = new DeliveryJob(endpointId, event, id, false)
      this.#parts.publish('enqueued', job)
      if (!held.has(id)) this.#claims.expectMore()
      // Admitted again while it is under way here.
      else if (!this.#held.has(id)) this.#hold(job)
    }
    this.#parts.pump()
  }

  #hold(job: DeliveryJob): void {
    if (this.#stopped) return
    this.#held.add(job.message().id)
    this.#places.hold(job)
    const displaced = this.#parts.queue.admit(job)
    if (displaced !== null) this.#displaced(displaced)
  }

  /** It waits in the queue again, for whoever has room. A message sent by hand waits nowhere else: it is dropped. */
  #displaced(job: DeliveryJob): void {
    if (job.manual) {
      this.#parts.drops.count(job.endpointId)
      this.#parts.publish('dropped', job)
      return
    }
    const { id } = job.message()
    this.#held.delete(id)
    this.#places.leave(job)
    this.#settlements.released(id)
    this.#claims.expectMore()
  }

  /** Says that it lives, looks for what is due, and comes again. */
  async #look(): Promise<void> {
    if (this.#stopped) return
    await this.#presence.keep(LOOK_MS)
    await this.#claims.takeMore()
    if (this.#stopped) return
    this.#timer = this.#parts.clock.setTimeout(() => void this.#look(), LOOK_MS)
  }

  async #claim(limit: number, room: (endpointId: string) => number): Promise<readonly HeldDelivery[]> {
    const claim = this.#durable.queue.claim(this.#presence.holder, limit, room)
    try {
      return await timedCall(this.#parts.clock, () => claim)
    } catch (error) {
      this.#presence.doubt(claim)
      throw error
    }
  }

  #claimed(found: readonly HeldDelivery[]): void {
    this.#places.claimed()
    for (const delivery of found) {
      const job = heldJob(delivery, this.#parts.log)
      if (job === null) this.#settlements.ended(delivery.id)
      else this.#hold(job)
    }
    this.#parts.pump()
  }

  #report(error: unknown, text: string): void {
    this.#parts.log[isAnnounced(error) ? 'debug' : 'error']({ code: 'SVC_WEBHOOKS_STORE', err: error }, text)
  }
}
