/**
 * The dispatcher: from an event of the audit journal to the outcome of its deliveries. Best effort and bounded: what does
 * not fit is dropped and counted, and nothing waits across a restart.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type AuditEvent, type AuditPort, type Clock, randomId } from 'svc-kernel'
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts'
import { EndpointSnapshot } from '../endpoints/endpoint-snapshot.ts'
import type { WebhookRecord, WebhooksStore } from '../endpoints/endpoint-store.ts'
import { QueueFull } from '../errors.ts'
import { withTimeout } from '../with-timeout.ts'
import { attemptDelivery } from './attempt.ts'
import { publish } from './delivery-channels.ts'
import { DeliveryHistory, type DeliveryRecord } from './delivery-history.ts'
import { DeliveryLoop, type LoopLimits } from './delivery-loop.ts'
import { OutcomeRecorder } from './outcome-recorder.ts'
import { DeliveryJob, testEvent } from './queue/delivery-job.ts'
import type { Transport } from './transport/transport.ts'

/** Each is an option of the plugin by the same name. */
export interface DispatchLimits extends LoopLimits {
  /** Consecutive final failures that disable an endpoint; 0 = never. */
  readonly autoDisableThreshold: number
  /** Of one attempt, from the name lookup to the last byte read. */
  readonly deliveryTimeoutMs: number
  readonly snapshotTtlS: number
}

export interface DispatcherParts {
  readonly store: WebhooksStore
  readonly secrets: EndpointSecrets
  readonly transport: Transport
  readonly audit: Pick<AuditPort, 'record' | 'subscribe'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly limits: DispatchLimits
  /** The HTTP server of the application, part of every message on the diagnostics channels. */
  readonly app: object
}

export interface QueueState {
  /** Deliveries that wait for a slot or for their retry. */
  readonly size: number
  /** Attempts under way. */
  readonly inFlight: number
  /** Since the start of this instance. */
  readonly dropped: number
}

/** A server that stops has ten seconds, unless it was given more: these leave it time for the rest. */
const LONGEST_CLOSE_MS = 8_000

/** Fastify gives a start up after ten seconds: an application does not stay down because a store is silent. */
const LONGEST_START_MS = 5_000

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #snapshot: EndpointSnapshot
  readonly #history = new DeliveryHistory()
  readonly #loop: DeliveryLoop
  #unsubscribe: (() => void) | null = null
  #draining: Promise<void> | null = null
  #closing: Promise<void> | null = null

  constructor(parts: DispatcherParts) {
    const { clock, log, limits, app } = parts
    const { autoDisableThreshold, deliveryTimeoutMs, snapshotTtlS: ttlS } = limits
    this.#parts = parts
    this.#snapshot = new EndpointSnapshot({
      ...parts,
      ttlS,
      onLoaded: ({ id, failureCount, lastDeliveryStatus }) => {
        if (failureCount > 0 && lastDeliveryStatus === null) this.#loop.presumeFailing(id)
      },
      onLate: (endpointId, event) => void this.#loop.admit(new DeliveryJob(endpointId, event))
    })
    const recorder = new OutcomeRecorder({
      ...parts,
      history: this.#history,
      autoDisableThreshold,
      deadlineMs: deliveryTimeoutMs,
      onDisabled: (endpointId) => {
        this.#snapshot.remove(endpointId)
        publish('disabled', () => ({ app, endpointId, type: 'webhook.disabled' }))
      }
    })
    this.#loop = new DeliveryLoop({
      attempt: (job) => attemptDelivery(job, { ...parts, deliveryTimeoutMs }),
      record: (job, end, outcome) => recorder.record(job, end, outcome),
      onDeleted: (endpointId) => this.removed(endpointId),
      clock,
      log,
      limits,
      app
    })
  }

  /**
   * Loads the endpoints, waiting 5 s at most, then listens to the journal. A store that fails is logged and asked again
   * by a later event; endpoints that come late are known from then on.
   */
  async start(): Promise<void> {
    const { clock, log, audit } = this.#parts
    await withTimeout(LONGEST_START_MS, clock, () => this.#snapshot.load()).catch(() => {
      const text = 'the server starts without the endpoints of webhooks: their store has not answered yet'
      log.warn({ code: 'SVC_WEBHOOKS_STORE' }, text)
    })
    if (this.#draining === null) this.#unsubscribe = audit.subscribe((event) => this.#admitAll(event))
  }

  /**
   * Stops admitting, cancels retries, releases the queue; the attempts under way have `deliveryTimeoutMs` left, and
   * never more than 8 s. What is recorded from now on is counted as lost.
   */
  drain(): void {
    this.#draining ??= this.#drain()
  }

  /** Drains, waits for that, closes the transport, unsubscribes, and logs how many deliveries are lost. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** This instance created or changed an endpoint. */
  changed(endpoint: WebhookRecord): void {
    this.#snapshot.set(endpoint)
    this.#loop.renew(endpoint.id)
  }

  /** This instance deleted an endpoint: what waits for it and its history are gone. */
  removed(id: string): void {
    this.#snapshot.remove(id)
    this.#loop.discard(id)
    this.#loop.drops.forget(id)
    this.#history.forget(id)
  }

  /**
   * Sends one signed `webhook.test` to this endpoint only, enabled or not: one attempt, not counted.
   *
   * @throws QueueFull (503, SVC_WEBHOOKS_QUEUE_FULL)
   */
  async sendTest(endpoint: WebhookRecord): Promise<{ messageId: string }> {
    const messageId = randomId('msg')
    const event = testEvent(endpoint.id, this.#parts.clock.now())
    this.#admitManual(new DeliveryJob(endpoint.id, event, messageId))
    return { messageId }
  }

  /**
   * Sends a message of the history again, under its id: one attempt, not counted, enabled or not.
   *
   * @returns `false` when the history does not hold it
   * @throws QueueFull (503, SVC_WEBHOOKS_QUEUE_FULL)
   */
  async resend(endpoint: WebhookRecord, messageId: string): Promise<boolean> {
    const event = this.#history.eventOf(endpoint.id, messageId)
    if (event === null) return false
    this.#admitManual(new DeliveryJob(endpoint.id, event, messageId))
    return true
  }

  /** Deliveries that ended on this instance, newest first, at most 20. */
  deliveries(endpointId: string): readonly DeliveryRecord[] {
    return this.#history.of(endpointId)
  }

  queue(): QueueState {
    const { waiting, inFlight, drops } = this.#loop
    return { size: waiting, inFlight, dropped: drops.total }
  }

  /** Deliveries dropped for this endpoint since the start of this instance. */
  droppedOf(endpointId: string): number {
    return this.#loop.drops.of(endpointId)
  }

  /** In the stack of whoever records: nothing but look-ups and admission. */
  #admitAll(event: AuditEvent): void {
    for (const endpointId of this.#snapshot.recipients(event)) this.#loop.admit(new DeliveryJob(endpointId, event))
  }

  #admitManual(job: DeliveryJob): void {
    if (!this.#loop.admit(job)) throw new QueueFull()
  }

  async #drain(): Promise<void> {
    const { transport, log, limits } = this.#parts
    this.#snapshot.freeze()
    this.#loop.stop()
    await this.#loop.settled(Math.min(limits.deliveryTimeoutMs, LONGEST_CLOSE_MS))
    try {
      await transport.close()
    } catch (error) {
      log.error({ code: 'SVC_WEBHOOKS_UNSENT', err: error }, 'the connections of webhooks could not be closed')
    }
  }

  async #close(): Promise<void> {
    this.drain()
    await this.#draining
    this.#unsubscribe?.()
    const { lost } = this.#loop
    if (lost === 0) return
    this.#parts.log.warn({ code: 'SVC_WEBHOOKS_LOST', lost }, `${lost} webhook deliveries are lost with this stop`)
  }
}
