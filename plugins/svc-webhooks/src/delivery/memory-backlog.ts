/** Deliveries that wait in memory: bounded, with a loss that is counted and logged, and over with the process. */
import type { Clock } from 'svc-kernel'
import type { WebhooksConfig } from '../options.ts'
import { type AttemptEnd, retryDue } from './attempt.ts'
import type { Backlog } from './backlog.ts'
import type { DeliveryChannel } from './delivery-channels.ts'
import type { DropCounter } from './drop-counter.ts'
import { type PendingDeliveries, pendingOf } from './queue/backlog-state.ts'
import type { DeliveryJob } from './queue/delivery-job.ts'
import type { DeliveryQueue, QueueBounds, QueueState } from './queue/delivery-queue.ts'
import type { EndpointHealth } from './queue/endpoint-queue.ts'
import { RetryTimer } from './queue/retries.ts'

export interface MemoryBacklogParts {
  readonly queue: DeliveryQueue
  readonly drops: DropCounter
  readonly clock: Clock
  readonly limits: QueueBounds & Pick<WebhooksConfig, 'maxRetries'>
  readonly publish: (name: DeliveryChannel, job: DeliveryJob) => void
  /** Fills free slots. */
  readonly pump: () => void
}

export class MemoryBacklog implements Backlog {
  readonly #parts: MemoryBacklogParts
  readonly #timer: RetryTimer
  #stopped = false
  #lost = 0

  constructor(parts: MemoryBacklogParts) {
    const { queue, clock, pump } = parts
    this.#parts = parts
    this.#timer = new RetryTimer(clock, () => {
      queue.promote(clock.now())
      pump()
    })
  }

  get lost(): number {
    return this.#lost
  }

  start(): Promise<void> {
    return Promise.resolve()
  }

  admit(job: DeliveryJob): boolean {
    const { queue, drops, publish } = this.#parts
    if (this.#stopped) {
      // Whoever sends by hand is answered that it was not sent.
      if (!job.manual) this.#lost += 1
      return false
    }
    const refused = queue.admit(job)
    if (refused !== null) {
      drops.count(refused.endpointId)
      publish('dropped', refused)
    }
    if (refused === job) return false
    publish('enqueued', job)
    return true
  }

  admitted(): Promise<void> {
    return Promise.resolve()
  }

  retries(job: DeliveryJob): boolean {
    return job.attempts <= this.#parts.limits.maxRetries
  }

  retry(job: DeliveryJob, end: AttemptEnd, health: EndpointHealth | undefined): boolean {
    if (this.#stopped) {
      this.#lost += 1
      return false
    }
    this.#parts.queue.retryAt(job, retryDue(job.attempts, end, this.#parts.clock.now()), health)
    return true
  }

  finish(job: DeliveryJob, health?: EndpointHealth): void {
    this.#parts.queue.finish(job, health)
  }

  filled(): void {
    const { queue, drops, limits } = this.#parts
    // At half, so that a queue that stays nearly full is one burst.
    if (queue.size * 2 <= limits.maxQueue) drops.over()
    this.#timer.set(queue.nextDue)
  }

  discard(endpointId: string): readonly DeliveryJob[] {
    return this.#parts.queue.clear(endpointId)
  }

  async state(): Promise<QueueState> {
    const { queue, drops } = this.#parts
    return { size: queue.size - queue.inFlight, inFlight: queue.inFlight, dropped: drops.total }
  }

  async pending(endpointId: string, limit: number): Promise<PendingDeliveries> {
    const { queue, clock } = this.#parts
    const { sending, waiting } = queue.pendingOf(endpointId, clock.now())
    const next = waiting.slice(0, limit).map(({ job, dueAt }) => pendingOf(job, dueAt))
    return { waiting: waiting.length, sending, nextAt: waiting[0]?.dueAt ?? null, next }
  }

  stop(): readonly DeliveryJob[] {
    this.#stopped = true
    this.#timer.cancel()
    const waiting = this.#parts.queue.clear()
    this.#lost += waiting.length
    this.#parts.drops.over()
    return waiting
  }

  async close(unfinished: number): Promise<void> {
    this.#lost += unfinished
  }
}
