/**
 * Deliveries as jobs of the queue: each attempt sends the message and classifies the answer; results go to the history, the
 * store and the diagnostics channels. In a shared queue a delivery is the JSON of its event, under a derived id.
 */
import type { AuditEvent } from 'svc-kernel'
import type { Attempt, JobCodec, JobEvent, JobHandler } from 'svc-queue'
import type { HeldJob } from 'svc-queue/driver'
import { messageId } from '../signature/message.ts'
import {
  type AttemptEnd,
  type AttemptParts,
  type AttemptVerdict,
  attemptDelivery,
  classifyAttempt,
  healthAfter,
  statusOf,
  type Withheld
} from './attempt.ts'
import { publish } from './delivery-channels.ts'
import { DeliveryJob } from './delivery-job.ts'
import type { DropCounter } from './drop-counter.ts'
import { type RecorderParts, recordOutcome, recordRetried } from './outcome-recorder.ts'
import type { RetryPolicy } from './retry-schedule.ts'

export interface DeliveriesParts extends Omit<AttemptParts, 'store'>, Omit<RecorderParts, 'store'> {
  readonly store: AttemptParts['store'] & RecorderParts['store']
  readonly drops: DropCounter
  readonly retries: RetryPolicy
  readonly app: object
  /** An attempt found its endpoint deleted or disabled. */
  readonly onWithheld: (endpointId: string, because: Withheld['because']) => void
}

export interface DeliveryAttempt extends Attempt {
  readonly end: AttemptEnd | Withheld
}

export class Deliveries implements JobHandler<DeliveryJob, DeliveryAttempt>, JobCodec<DeliveryJob> {
  readonly #parts: DeliveriesParts
  /** The event that was written last, and its text: one event goes to many endpoints. */
  #written: { readonly event: AuditEvent; readonly text: string } | null = null

  constructor(parts: DeliveriesParts) {
    this.#parts = parts
  }

  async attempt(job: DeliveryJob): Promise<DeliveryAttempt> {
    const { clock, retries } = this.#parts
    const end = await attemptDelivery(job, this.#parts)
    if (end.kind === 'withheld') return { verdict: 'withdrawn', end, delayMs: null }
    const of = classifyAttempt(end)
    if (await this.#isGone(job, end, of)) {
      return { verdict: 'withdrawn', end: { kind: 'withheld', because: 'deleted' }, delayMs: null }
    }
    const health = end.kind === 'unsent' ? undefined : healthAfter(of, end.durationMs)
    const delayMs = of === 'retry' && !job.manual ? retries.delayMs(job.attempts, end, clock.now()) : null
    return { verdict: of === 'success' ? 'done' : of === 'retry' ? 'retry' : 'failed', end, health, delayMs }
  }

  async record(job: DeliveryJob, { end }: DeliveryAttempt): Promise<void> {
    if (end.kind !== 'withheld') await recordOutcome(job, end, classifyAttempt(end), this.#parts)
  }

  happened(event: JobEvent, job: DeliveryJob, attempt?: DeliveryAttempt): void {
    const end = attempt === undefined || attempt.end.kind === 'withheld' ? undefined : attempt.end
    if (event === 'dropped') this.#parts.drops.count(job.endpointId)
    if (event === 'retried' && end !== undefined) recordRetried(job, end, this.#parts)
    publish(event === 'done' ? 'delivered' : event, () => {
      const subject = {
        app: this.#parts.app,
        endpointId: job.endpointId,
        type: job.event.action,
        eventId: job.event.id
      }
      if (end === undefined) return subject
      const made = { messageId: job.message().id, attempt: job.attempts, status: statusOf(end) }
      return { ...subject, ...made, durationMs: end.durationMs }
    })
  }

  withdrawn(job: DeliveryJob, { end }: DeliveryAttempt): void {
    if (end.kind === 'withheld') this.#parts.onWithheld(job.endpointId, end.because)
  }

  impossible({ endpointId }: DeliveryJob, error: unknown): void {
    this.#unsent({ err: error, endpoint: endpointId }, 'a webhook delivery failed before anything was sent')
  }

  roomAgain(): void {
    this.#parts.drops.over()
  }

  idOf(job: DeliveryJob): string {
    return messageId(job.event.id, job.endpointId)
  }

  write({ event, endpointId }: DeliveryJob): string | null {
    try {
      if (this.#written?.event !== event) this.#written = { event, text: JSON.stringify(event) }
      return this.#written.text
    } catch (error) {
      this.#unsent({ err: error, endpoint: endpointId }, 'an event cannot be written as JSON')
      return null
    }
  }

  read({ id, lane, payload, attempts }: HeldJob): DeliveryJob | null {
    try {
      const job = new DeliveryJob(lane, JSON.parse(payload) as AuditEvent, id, false)
      job.message()
      job.attempts = attempts
      return job
    } catch {
      return null
    }
  }

  /** Without the error: it quotes the text. */
  unreadable({ id, lane }: HeldJob): void {
    this.#unsent({ endpoint: lane, message: id }, 'a webhook delivery in the queue is unreadable and was discarded')
  }

  /**
   * The endpoint was deleted during the attempt, with its history: nothing is written of it. Of attempts that count, the
   * store says so as it counts.
   */
  async #isGone({ endpointId, manual }: DeliveryJob, end: AttemptEnd, of: AttemptVerdict): Promise<boolean> {
    if (end.kind === 'unsent' || !(manual || of === 'retry')) return false
    try {
      return (await this.#parts.store.find(endpointId)) === null
    } catch {
      // What cannot be known now, the next attempt asks again.
      return false
    }
  }

  #unsent(fields: object, text: string): void {
    this.#parts.log.error({ code: 'SVC_WEBHOOKS_UNSENT', ...fields }, text)
  }
}
