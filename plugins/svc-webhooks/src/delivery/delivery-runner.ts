/**
 * Fills free slots with deliveries, makes their attempts, and reports the results to the backlog, the history and the
 * store.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type AttemptEnd,
  type AttemptParts,
  attemptDelivery,
  classifyAttempt,
  healthAfter,
  statusOf
} from './attempt.ts'
import type { Backlog } from './backlog.ts'
import { type DeliveryChannel, publish } from './delivery-channels.ts'
import { type RecorderParts, recordOutcome, recordRetried } from './outcome-recorder.ts'
import type { DeliveryJob } from './queue/delivery-job.ts'
import type { DeliveryQueue } from './queue/delivery-queue.ts'

export interface RunnerParts extends Omit<AttemptParts, 'store'>, Omit<RecorderParts, 'store'> {
  readonly store: AttemptParts['store'] & RecorderParts['store']
  readonly queue: DeliveryQueue
  readonly backlog: Backlog
  readonly app: object
  /** An attempt found its endpoint deleted or disabled. */
  readonly onWithheld: (endpointId: string, because: 'deleted' | 'disabled') => void
}

export class DeliveryRunner {
  readonly #parts: RunnerParts
  /** Runs deliveries outside of the context of the request that recorded the event. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #pumpDue = false
  #stopped = false
  /** The deadline at closing has passed: later results change nothing. */
  #over = false
  /** Attempts without an answer yet. */
  #attempting = 0
  #onIdle: (() => void) | null = null

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  pumpSoon(): void {
    if (this.#pumpDue) return
    this.#pumpDue = true
    this.#outside(queueMicrotask, () => {
      this.#pumpDue = false
      this.pump()
    })
  }

  pump(): void {
    const { queue, clock, backlog } = this.#parts
    if (this.#stopped) {
      if (queue.inFlight === 0) this.#onIdle?.()
      return
    }
    const now = clock.now()
    for (let job = queue.next(now); job !== undefined; job = queue.next(now)) void this.#run(job)
    backlog.filled()
  }

  /** Starts no further attempt, and gives running ones this many ms. @returns how many had not ended by then */
  async stop(deadlineMs: number): Promise<number> {
    const { queue, clock } = this.#parts
    this.#stopped = true
    if (queue.inFlight > 0) {
      const idle = new Promise<void>((resolve) => (this.#onIdle = resolve))
      const timer = clock.setTimeout(() => this.#onIdle?.(), deadlineMs)
      await idle
      clock.clearTimeout(timer)
    }
    this.#over = true
    return this.#attempting
  }

  discarded(jobs: readonly DeliveryJob[]): void {
    for (const job of jobs) this.publish('discarded', job)
  }

  publish(name: DeliveryChannel, job: DeliveryJob, end?: AttemptEnd): void {
    publish(name, () => {
      const { endpointId, event, attempts: attempt } = job
      const subject = { app: this.#parts.app, endpointId, type: event.action, eventId: event.id }
      if (end === undefined) return subject
      return { ...subject, messageId: job.message().id, attempt, status: statusOf(end), durationMs: end.durationMs }
    })
  }

  async #run(job: DeliveryJob): Promise<void> {
    job.attempts += 1
    job.begunAt = this.#parts.clock.now()
    try {
      await this.#deliver(job)
    } catch (error) {
      const fields = { code: 'SVC_WEBHOOKS_UNSENT', err: error, endpoint: job.endpointId }
      this.#parts.log.error(fields, 'a webhook delivery failed before anything was sent')
      this.#discard(job)
    }
    this.pump()
  }

  async #deliver(job: DeliveryJob): Promise<void> {
    const { backlog, onWithheld } = this.#parts
    this.#attempting += 1
    const end = await attemptDelivery(job, this.#parts).finally(() => {
      this.#attempting -= 1
    })
    if (end.kind === 'withheld') {
      this.#discard(job)
      onWithheld(job.endpointId, end.because)
      return
    }
    if (this.#over) {
      this.#parts.queue.finish(job)
      this.publish('discarded', job)
      return
    }
    const verdict = classifyAttempt(end)
    const health = end.kind === 'unsent' ? undefined : healthAfter(verdict, end.durationMs)
    if (verdict === 'retry' && !job.manual && backlog.retries(job)) {
      if (backlog.retry(job, end, health)) {
        recordRetried(job, end, this.#parts)
        this.publish('retried', job, end)
      } else this.#discard(job)
      return
    }
    await recordOutcome(job, end, verdict, this.#parts)
    backlog.finish(job, health, verdict === 'success')
    this.publish(verdict === 'success' ? 'delivered' : 'failed', job, end)
  }

  #discard(job: DeliveryJob): void {
    this.#parts.backlog.finish(job)
    this.publish('discarded', job)
  }
}
