/**
 * Takes deliveries through the slots: admission at once, everything else in a later microtask, as slots get free. What
 * follows from an attempt is decided in `retry-policy.ts`; here it is done, and published on the channels.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { AttemptEnd, Withheld } from './attempt.ts'
import { type DeliveryChannel, publish } from './delivery-channels.ts'
import type { DeliveryOutcome } from './delivery-history.ts'
import { DropCounter } from './drop-counter.ts'
import type { DeliveryJob } from './queue/delivery-job.ts'
import { DeliveryQueue, type QueueBounds } from './queue/delivery-queue.ts'
import { RetryTimer } from './queue/retries.ts'
import { type AttemptVerdict, classifyAttempt, finalOutcome, healthAfter, retryDue } from './retry-policy.ts'

export interface LoopLimits extends QueueBounds {
  /** After the first attempt. */
  readonly maxRetries: number
}

export interface LoopParts {
  readonly attempt: (job: DeliveryJob) => Promise<AttemptEnd | Withheld>
  readonly record: (job: DeliveryJob, end: AttemptEnd, outcome: DeliveryOutcome) => Promise<void>
  /** The endpoint was deleted, here or elsewhere. */
  readonly onDeleted: (endpointId: string) => void
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly limits: LoopLimits
  readonly app: object
}

export class DeliveryLoop {
  readonly drops: DropCounter
  readonly #parts: LoopParts
  readonly #queue: DeliveryQueue
  readonly #timer: RetryTimer
  /** A delivery does not belong to the request whose event it carries. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #pumpDue = false
  #closed = false
  /** The time for what was under way at closing is up: its end changes nothing any more. */
  #over = false
  #lost = 0
  /** Attempts whose receiver has not answered yet. */
  #attempting = 0
  #onIdle: (() => void) | null = null

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#queue = new DeliveryQueue(parts.limits)
    this.drops = new DropCounter(parts.log)
    this.#timer = new RetryTimer(parts.clock, () => {
      this.#queue.promote(parts.clock.now())
      this.#pump()
    })
  }

  /** Deliveries that wait for a slot or for their retry. */
  get waiting(): number {
    return this.#queue.size - this.#queue.inFlight
  }

  get inFlight(): number {
    return this.#queue.inFlight
  }

  /** Deliveries that the stop cost: they waited for it, came after it, or were not over in time. */
  get lost(): number {
    return this.#lost
  }

  /** Never waits. @returns `false` when it found no room, or after `stop`: both are counted */
  admit(job: DeliveryJob): boolean {
    if (this.#closed) {
      // Whoever sends by hand is answered that it was not sent.
      if (!job.manual) this.#lost += 1
      return false
    }
    const refused = this.#queue.admit(job)
    if (refused !== null) {
      this.drops.count(refused.endpointId)
      this.#publish('dropped', refused)
    }
    if (refused === job) return false
    this.#publish('enqueued', job)
    this.#pumpSoon()
    return true
  }

  /** Removes what waits for this endpoint, and what is known of it. */
  discard(endpointId: string): void {
    this.#discardAll(this.#queue.clear(endpointId))
    this.#queue.forget(endpointId)
  }

  /** This endpoint was changed: what is known of it holds no longer. */
  renew(endpointId: string): void {
    this.#queue.forget(endpointId)
  }

  /** Deliveries to this endpoint fail elsewhere: it does not come before those of which nothing is known. */
  presumeFailing(endpointId: string): void {
    this.#queue.presume(endpointId, 'failing')
  }

  /** Nothing is admitted any more, nothing new begins, what waits is lost. */
  stop(): void {
    this.#closed = true
    this.#timer.cancel()
    const waiting = this.#queue.clear()
    this.#lost += waiting.length
    this.#discardAll(waiting)
    this.drops.over()
  }

  /** After `stop`: resolves when no attempt is under way, at the latest after this time. What ends later is ignored. */
  async settled(ms: number): Promise<void> {
    if (this.#queue.inFlight > 0) {
      await new Promise<void>((resolve) => {
        const timer = this.#parts.clock.setTimeout(resolve, ms)
        this.#onIdle = () => {
          this.#parts.clock.clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#over = true
    this.#lost += this.#attempting
  }

  #pumpSoon(): void {
    if (this.#pumpDue) return
    this.#pumpDue = true
    this.#outside(() =>
      queueMicrotask(() => {
        this.#pumpDue = false
        this.#pump()
      })
    )
  }

  #pump(): void {
    if (this.#closed) {
      if (this.#queue.inFlight === 0) this.#onIdle?.()
      return
    }
    const now = this.#parts.clock.now()
    for (let job = this.#queue.next(now); job !== undefined; job = this.#queue.next(now)) void this.#run(job)
    // At half, so that a queue that stays nearly full is one burst.
    if (this.#queue.size * 2 <= this.#parts.limits.maxQueue) this.drops.over()
    this.#timer.set(this.#queue.nextDue)
  }

  async #run(job: DeliveryJob): Promise<void> {
    job.attempts += 1
    try {
      await this.#deliver(job)
    } catch (error) {
      const fields = { code: 'SVC_WEBHOOKS_UNSENT', err: error, endpoint: job.endpointId }
      this.#parts.log.error(fields, 'a webhook delivery failed inside')
      this.#queue.finish(job)
      this.#publish('discarded', job)
    }
    this.#pump()
  }

  async #deliver(job: DeliveryJob): Promise<void> {
    const end = await this.#attempt(job)
    if (end.kind === 'withheld') {
      this.#queue.finish(job)
      this.#publish('discarded', job)
      if (end.because === 'deleted') this.#parts.onDeleted(job.endpointId)
      return
    }
    const verdict = classifyAttempt(end)
    const again = verdict === 'retry' && !job.manual && job.attempts <= this.#parts.limits.maxRetries
    if (this.#over || (again && this.#closed)) {
      if (!this.#over) this.#lost += 1
      this.#queue.finish(job)
      this.#publish('discarded', job)
      return
    }
    const health = end.kind === 'unsent' ? undefined : healthAfter(verdict, end.durationMs)
    if (again) {
      this.#queue.retryAt(job, retryDue(job.attempts, end, this.#parts.clock.now()), health)
      this.#publish('retried', job, end)
      return
    }
    await this.#parts.record(job, end, outcomeOf(job, verdict))
    this.#queue.finish(job, health)
    this.#publish(verdict === 'success' ? 'delivered' : 'failed', job, end)
  }

  async #attempt(job: DeliveryJob): Promise<AttemptEnd | Withheld> {
    this.#attempting += 1
    try {
      return await this.#parts.attempt(job)
    } finally {
      this.#attempting -= 1
    }
  }

  #discardAll(jobs: readonly DeliveryJob[]): void {
    for (const job of jobs) this.#publish('discarded', job)
  }

  #publish(name: DeliveryChannel, job: DeliveryJob, end?: AttemptEnd): void {
    publish(name, () => {
      const event = { app: this.#parts.app, endpointId: job.endpointId, type: job.event.action }
      if (end === undefined) return event
      const status = end.kind === 'answered' ? end.status : null
      return { ...event, attempt: job.attempts, status, durationMs: end.durationMs }
    })
  }
}

/** A message sent by hand has one attempt: there was nothing to exhaust. */
function outcomeOf({ manual }: DeliveryJob, verdict: AttemptVerdict): DeliveryOutcome {
  return manual && verdict === 'retry' ? 'failed' : finalOutcome(verdict)
}
