/**
 * The dispatcher: from an event of the audit journal to the outcome of its deliveries. Admission is at once, in the stack
 * of whoever records; everything else in a later microtask, as slots get free. Best effort and bounded: what does not
 * fit is dropped and counted, and nothing waits across a restart.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'
import { type AuditPort, type Clock, randomId, withTimeout } from 'svc-kernel'
import type { WebhookRecord } from '../endpoints/endpoint.ts'
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts'
import { EndpointSnapshot } from '../endpoints/endpoint-snapshot.ts'
import { timedStore, type WebhooksStore } from '../endpoints/endpoint-store.ts'
import { QueueFull } from '../errors.ts'
import type { DeliveryRecord } from '../history/delivery-record.ts'
import type { LastingHistory } from '../history/lasting-history.ts'
import type { WebhooksConfig } from '../options.ts'
import {
  type AttemptEnd,
  type AttemptParts,
  attemptDelivery,
  classifyAttempt,
  healthAfter,
  retryDue,
  statusOf
} from './attempt.ts'
import { type DeliveryChannel, publish } from './delivery-channels.ts'
import { DeliveryHistory } from './delivery-history.ts'
import { DropCounter } from './drop-counter.ts'
import { type RecorderParts, recordOutcome } from './outcome-recorder.ts'
import { DeliveryJob, testEvent } from './queue/delivery-job.ts'
import { DeliveryQueue, type QueueBounds, type QueueState } from './queue/delivery-queue.ts'
import { RetryTimer } from './queue/retries.ts'
import type { Transport } from './transport/transport.ts'

/** Options of the plugin. */
export type DispatchLimits = QueueBounds &
  Pick<WebhooksConfig, 'maxRetries' | 'autoDisableThreshold' | 'deliveryTimeoutMs' | 'snapshotTtlS'>

export interface DispatcherParts {
  readonly store: WebhooksStore
  readonly secrets: EndpointSecrets
  readonly transport: Transport
  readonly audit: Pick<AuditPort, 'record' | 'subscribe'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly limits: DispatchLimits
  /** Absent, or `null`: the history is in memory alone. */
  readonly lasting?: LastingHistory | null
  /** The HTTP server of the application, part of every message on the diagnostics channels. */
  readonly app: object
}

/** A server that stops has ten seconds, unless it was given more: these leave it time for the rest. */
const LONGEST_CLOSE_MS = 8_000

/** Fastify gives a start up after ten seconds: an application does not stay down because a store is silent. */
const LONGEST_START_MS = 5_000

export class Dispatcher {
  readonly #parts: DispatcherParts & AttemptParts & RecorderParts
  readonly #snapshot: EndpointSnapshot
  readonly #history: DeliveryHistory
  readonly #queue: DeliveryQueue
  readonly #timer: RetryTimer
  readonly #drops: DropCounter
  /** A delivery does not belong to the request whose event it carries. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #unsubscribe: (() => void) | null = null
  #pumpDue = false
  #draining: Promise<void> | null = null
  #closed = false
  /** The time for what was under way at closing is up: its end changes nothing any more. */
  #over = false
  /** Deliveries that the stop cost: they waited for it, came after it, or were not over in time. */
  #lost = 0
  /** Attempts whose receiver has not answered yet. */
  #attempting = 0
  #onIdle: (() => void) | null = null

  constructor(parts: DispatcherParts) {
    this.#history = new DeliveryHistory(parts.lasting)
    const { clock, limits } = parts
    const store = timedStore(parts.store, clock, limits.deliveryTimeoutMs)
    const onDisabled = (endpointId: string) => {
      this.#snapshot.remove(endpointId)
      publish('disabled', () => ({ app: parts.app, endpointId, type: 'webhook.disabled' }))
    }
    this.#parts = { ...parts, ...limits, store, history: this.#history, onDisabled }
    this.#queue = new DeliveryQueue(limits)
    this.#drops = new DropCounter(parts.log)
    this.#timer = new RetryTimer(clock, () => {
      this.#queue.promote(clock.now())
      this.#pump()
    })
    this.#snapshot = new EndpointSnapshot({
      ...parts,
      ttlS: limits.snapshotTtlS,
      onLoaded: ({ id, failureCount, lastDeliveryStatus }) => {
        // It fails elsewhere: it does not come before those of which nothing is known.
        if (failureCount > 0 && lastDeliveryStatus === null) this.#queue.presume(id, 'failing')
      },
      onLate: (endpointId, event) => void this.#admit(new DeliveryJob(endpointId, event))
    })
  }

  /**
   * Loads the endpoints, waiting 5 s at most, then listens to the journal. A store that fails is logged and asked again
   * by a later event; endpoints that come late are known from then on.
   */
  async start(): Promise<void> {
    const { clock, log, audit } = this.#parts
    const text = 'the server starts without the endpoints of webhooks: their store has not answered yet'
    const load = () => this.#snapshot.load()
    await withTimeout(LONGEST_START_MS, clock, load, () => new Error(text)).catch(() => {
      log.warn({ code: 'SVC_WEBHOOKS_STORE' }, text)
    })
    if (this.#closed) return
    this.#unsubscribe = audit.subscribe((event) => {
      // In the stack of whoever records: an iterator over none would cost more than the look-up.
      const to = this.#snapshot.recipients(event)
      for (let at = 0; at < to.length; at += 1) this.#admit(new DeliveryJob(to[at] as string, event))
    })
  }

  /**
   * Stops admitting, cancels retries, releases the queue; the attempts under way have `deliveryTimeoutMs` left, and
   * never more than 8 s. What is recorded from now on is counted as lost.
   */
  drain(): void {
    this.#draining ??= this.#drain()
  }

  /** Drains, waits for that, closes the transport, unsubscribes, and logs how many deliveries are lost. Never rejects. */
  async close(): Promise<void> {
    this.drain()
    await this.#draining
    this.#unsubscribe?.()
    if (this.#lost === 0) return
    const text = `${this.#lost} webhook deliveries are lost with this stop`
    this.#parts.log.warn({ code: 'SVC_WEBHOOKS_LOST', lost: this.#lost }, text)
    this.#lost = 0
  }

  /** This instance created or changed an endpoint: what is known of it holds no longer. */
  changed(endpoint: WebhookRecord): void {
    this.#snapshot.set(endpoint)
    this.#queue.forget(endpoint.id)
  }

  /** An endpoint was deleted, here or elsewhere: what waits for it and its history are gone. */
  removed(id: string): void {
    this.#snapshot.remove(id)
    for (const job of this.#queue.clear(id)) this.#publish('discarded', job)
    this.#queue.forget(id)
    this.#drops.forget(id)
    this.#history.forget(id)
  }

  /** A test message: one attempt, not counted. @throws QueueFull (503) */
  async sendTest({ id }: WebhookRecord): Promise<{ messageId: string }> {
    const messageId = randomId('msg')
    if (!this.#admit(new DeliveryJob(id, testEvent(id, this.#parts.clock.now()), messageId))) throw new QueueFull()
    return { messageId }
  }

  /** A message of the history again: one attempt, not counted. @returns `false` for one not held @throws QueueFull (503) */
  async resend({ id }: WebhookRecord, messageId: string): Promise<boolean> {
    const event = this.#history.eventOf(id, messageId) ?? (await this.#parts.lasting?.eventOf(id, messageId)) ?? null
    if (event === null) return false
    if (!this.#admit(new DeliveryJob(id, event, messageId))) throw new QueueFull()
    return true
  }

  /** Deliveries that ended on this instance, newest first, at most 20. */
  deliveries(endpointId: string): readonly DeliveryRecord[] {
    return this.#history.of(endpointId)
  }

  queue(): QueueState {
    const { size, inFlight } = this.#queue
    return { size: size - inFlight, inFlight, dropped: this.#drops.total }
  }

  /** Deliveries dropped for this endpoint since the start of this instance. */
  droppedOf(endpointId: string): number {
    return this.#drops.of(endpointId)
  }

  /** Never waits. @returns `false` when it found no room, or after the drain began: both are counted */
  #admit(job: DeliveryJob): boolean {
    if (this.#closed) {
      // Whoever sends by hand is answered that it was not sent.
      if (!job.manual) this.#lost += 1
      return false
    }
    const refused = this.#queue.admit(job)
    if (refused !== null) {
      this.#drops.count(refused.endpointId)
      this.#publish('dropped', refused)
    }
    if (refused === job) return false
    this.#publish('enqueued', job)
    this.#pumpSoon()
    return true
  }

  #pumpSoon(): void {
    if (this.#pumpDue) return
    this.#pumpDue = true
    this.#outside(queueMicrotask, () => {
      this.#pumpDue = false
      this.#pump()
    })
  }

  #pump(): void {
    if (this.#closed) {
      if (this.#queue.inFlight === 0) this.#onIdle?.()
      return
    }
    const now = this.#parts.clock.now()
    for (let job = this.#queue.next(now); job !== undefined; job = this.#queue.next(now)) void this.#run(job)
    // At half, so that a queue that stays nearly full is one burst.
    if (this.#queue.size * 2 <= this.#parts.limits.maxQueue) this.#drops.over()
    this.#timer.set(this.#queue.nextDue)
  }

  async #run(job: DeliveryJob): Promise<void> {
    job.attempts += 1
    try {
      await this.#deliver(job)
    } catch (error) {
      const fields = { code: 'SVC_WEBHOOKS_UNSENT', err: error, endpoint: job.endpointId }
      this.#parts.log.error(fields, 'a webhook delivery failed inside')
      this.#discard(job)
    }
    this.#pump()
  }

  async #deliver(job: DeliveryJob): Promise<void> {
    const { clock, limits } = this.#parts
    this.#attempting += 1
    const end = await attemptDelivery(job, this.#parts).finally(() => {
      this.#attempting -= 1
    })
    if (end.kind === 'withheld') {
      this.#discard(job)
      if (end.because === 'deleted') this.removed(job.endpointId)
      return
    }
    const verdict = classifyAttempt(end)
    const again = verdict === 'retry' && !job.manual && job.attempts <= limits.maxRetries
    if (this.#over || (again && this.#closed)) {
      if (!this.#over) this.#lost += 1
      this.#discard(job)
      return
    }
    const health = end.kind === 'unsent' ? undefined : healthAfter(verdict, end.durationMs)
    if (again) {
      this.#queue.retryAt(job, retryDue(job.attempts, end, clock.now()), health)
      this.#publish('retried', job, end)
      return
    }
    await recordOutcome(job, end, verdict, this.#parts)
    this.#queue.finish(job, health)
    this.#publish(verdict === 'success' ? 'delivered' : 'failed', job, end)
  }

  #discard(job: DeliveryJob): void {
    this.#queue.finish(job)
    this.#publish('discarded', job)
  }

  #publish(name: DeliveryChannel, { endpointId, event, attempts }: DeliveryJob, end?: AttemptEnd): void {
    publish(name, () => {
      const subject = { app: this.#parts.app, endpointId, type: event.action }
      if (end === undefined) return subject
      return { ...subject, attempt: attempts, status: statusOf(end), durationMs: end.durationMs }
    })
  }

  async #drain(): Promise<void> {
    const { clock, transport, log, limits } = this.#parts
    this.#snapshot.freeze()
    this.#closed = true
    this.#timer.cancel()
    const waiting = this.#queue.clear()
    this.#lost += waiting.length
    for (const job of waiting) this.#publish('discarded', job)
    this.#drops.over()
    if (this.#queue.inFlight > 0) {
      const idle = new Promise<void>((resolve) => (this.#onIdle = resolve))
      const timer = clock.setTimeout(() => this.#onIdle?.(), Math.min(limits.deliveryTimeoutMs, LONGEST_CLOSE_MS))
      await idle
      clock.clearTimeout(timer)
    }
    this.#over = true
    this.#lost += this.#attempting
    try {
      await transport.close()
    } catch (error) {
      log.error({ code: 'SVC_WEBHOOKS_UNSENT', err: error }, 'the connections of webhooks could not be closed')
    }
  }
}
