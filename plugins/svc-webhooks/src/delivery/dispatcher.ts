/**
 * The dispatcher: from an event of the audit journal to the outcome of its deliveries. Admission is at once, in the stack
 * of whoever records; everything else later, as slots get free. What does not fit waits, or is dropped and counted, as the
 * backlog says.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type AuditEvent, type AuditPort, type Clock, randomId, withTimeout } from 'svc-kernel'
import type { WebhookRecord } from '../endpoints/endpoint.ts'
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts'
import { EndpointSnapshot } from '../endpoints/endpoint-snapshot.ts'
import { timedStore, type WebhooksStore } from '../endpoints/endpoint-store.ts'
import type { EndpointVersion } from '../endpoints/endpoint-version.ts'
import { EndpointWatch } from '../endpoints/endpoint-watch.ts'
import { QueueFull, StoreTimeout } from '../errors.ts'
import type { DeliveryRecord } from '../history/delivery-record.ts'
import type { LastingHistory } from '../history/lasting-history.ts'
import type { WebhooksConfig } from '../options.ts'
import type { Backlog } from './backlog.ts'
import { publish } from './delivery-channels.ts'
import { DeliveryHistory } from './delivery-history.ts'
import { DeliveryRunner } from './delivery-runner.ts'
import { DropCounter } from './drop-counter.ts'
import { SharingStore } from './durable/sharing-store.ts'
import { DurableBacklog, type DurableBacklogParts, type DurableParts } from './durable-backlog.ts'
import { MemoryBacklog } from './memory-backlog.ts'
import type { BacklogState, PendingDeliveries } from './queue/backlog-state.ts'
import { DeliveryJob, testEvent } from './queue/delivery-job.ts'
import { DeliveryQueue, type QueueBounds, type QueueState } from './queue/delivery-queue.ts'
import { jobOf } from './queue/refusals.ts'
import type { RecentOutcomes } from './recent-outcomes.ts'
import type { Transport } from './transport/transport.ts'

/** Options of the plugin. */
export type DispatchLimits = QueueBounds &
  Pick<WebhooksConfig, 'maxRetries' | 'autoDisableThreshold' | 'deliveryTimeoutMs' | 'snapshotTtlS' | 'endpointLimits'>

export interface DispatcherParts {
  readonly store: WebhooksStore
  readonly secrets: EndpointSecrets
  readonly transport: Transport
  readonly audit: Pick<AuditPort, 'record' | 'subscribe' | 'catalogue'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly limits: DispatchLimits
  /** Absent, or `null`: the history is in memory alone. */
  readonly lasting?: LastingHistory | null
  /** The HTTP server of the application, part of every message on the diagnostics channels. */
  readonly app: object
  /** Where deliveries outlive the process; `null` or absent: they live in memory. */
  readonly durable?: DurableParts | null
  /** Where instances share the endpoints; `null` or absent: there is one. */
  readonly version?: EndpointVersion | null
}

/** A server that stops has ten seconds, unless it was given more: these leave it time for the rest. */
const LONGEST_CLOSE_MS = 8_000

/** How long a message of a recovery may wait for a slot. */
const LONGEST_WAIT_MS = 300_000

/** Fastify gives a start up after ten seconds: an application does not stay down because a store is silent. */
const LONGEST_START_MS = 5_000

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #snapshot: EndpointSnapshot
  readonly #watch: EndpointWatch | null
  readonly #history: DeliveryHistory
  readonly #queue: DeliveryQueue
  readonly #backlog: Backlog
  readonly #sharing: SharingStore | null
  readonly #runner: DeliveryRunner
  readonly #drops: DropCounter
  #unsubscribe: (() => void) | null = null
  #draining: Promise<void> | null = null
  #settling: Promise<void> | null = null
  #closed = false
  /** Attempts that were not over when their time was up. */
  #unfinished = 0
  /** Losses that the log has. */
  #reported = 0

  constructor(parts: DispatcherParts) {
    const { clock, limits, log, durable = null, app, version = null } = parts
    this.#parts = parts
    this.#history = new DeliveryHistory(parts.lasting)
    this.#queue = new DeliveryQueue(limits)
    this.#drops = new DropCounter(log)
    const behind = {
      queue: this.#queue,
      drops: this.#drops,
      clock,
      log,
      limits,
      publish: (name, job) => this.#runner.publish(name, job),
      pump: () => this.#runner.pump()
    } satisfies DurableBacklogParts
    this.#backlog = durable === null ? new MemoryBacklog(behind) : new DurableBacklog(behind, durable)
    const timed = timedStore(parts.store, clock, limits.deliveryTimeoutMs)
    this.#sharing = durable === null ? null : new SharingStore({ store: timed, clock, log })
    this.#runner = new DeliveryRunner({
      ...parts,
      ...limits,
      store: this.#sharing ?? timed,
      history: this.#history,
      queue: this.#queue,
      backlog: this.#backlog,
      onDisabled: (endpointId) => {
        this.#snapshot.remove(endpointId)
        this.#watch?.changed()
        publish('disabled', () => ({ app, endpointId, type: 'webhook.disabled', eventId: null }))
      },
      onWithheld: (endpointId, because) => {
        if (because === 'deleted') this.removed(endpointId)
        else if (durable !== null) this.#runner.discarded(this.#backlog.discard(endpointId))
      }
    })
    this.#snapshot = new EndpointSnapshot({
      ...parts,
      ttlS: limits.snapshotTtlS,
      onLoaded: ({ id, failureCount, lastDeliveryStatus }) => {
        // It fails elsewhere: it does not come before those of which nothing is known.
        if (failureCount > 0 && lastDeliveryStatus === null) this.#queue.presume(id, 'failing')
      },
      onLate: (endpointId, event) => this.#admit(jobOf(endpointId, event, parts.audit))
    })
    const reload = () => this.#snapshot.reload()
    const changes = durable?.queue.changes ?? null
    const isShared = version !== null || changes !== null
    this.#watch = isShared ? new EndpointWatch({ version, changes, clock, log, reload }) : null
  }

  /**
   * Loads the endpoints, waiting 5 s at most, then listens to the journal. A store that fails is logged and asked again
   * by a later event; endpoints that come late are known from then on.
   */
  async start(): Promise<void> {
    const { clock, log, audit, durable = null } = this.#parts
    const isDurable = durable !== null
    const text = 'the server starts without webhook endpoints, because their store has not answered yet'
    const load = () => this.#snapshot.load()
    await withTimeout(LONGEST_START_MS, clock, load, () => new Error(text)).catch(() => {
      log.warn({ code: 'SVC_WEBHOOKS_STORE' }, text)
    })
    if (this.#closed) return
    const listener = (event: AuditEvent) => {
      // In the stack of whoever records: an iterator over none would cost more than the look-up.
      const to = this.#snapshot.recipients(event)
      let isTaken = true
      for (let at = 0; at < to.length; at += 1) {
        if (!this.#admit(jobOf(to[at] as string, event, audit))) isTaken = false
      }
      // In memory, what finds no room is dropped, as it always was; a request that waits for what is durable is told.
      return isTaken || !isDurable
    }
    this.#unsubscribe = audit.subscribe(listener, { flush: () => this.admitted() })
    this.#watch?.start()
    await this.#backlog.start()
  }

  /**
   * Stops admitting, cancels retries, releases the queue; the attempts under way have `deliveryTimeoutMs` left, and
   * never more than 8 s. What is recorded from now on is stored where the queue is durable, and else counted as lost.
   */
  drain(): void {
    this.#draining ??= this.#drain()
  }

  /** Drains, waits for that, closes the transport, unsubscribes, and logs how many deliveries are lost. Never rejects. */
  async close(): Promise<void> {
    this.drain()
    await this.#draining
    this.#unsubscribe?.()
    this.#unsubscribe = null
    this.#settling ??= this.#settle()
    await this.#settling
    const { lost } = this.#backlog
    if (lost === this.#reported) return
    const text = `the stop lost ${lost - this.#reported} webhook deliveries`
    this.#parts.log.warn({ code: 'SVC_WEBHOOKS_LOST', lost: lost - this.#reported }, text)
    this.#reported = lost
  }

  /** This instance created or changed an endpoint: what is known of it holds no longer. */
  changed(endpoint: WebhookRecord): void {
    this.#snapshot.set(endpoint)
    this.#watch?.changed()
    this.#queue.forget(endpoint.id)
  }

  /** An endpoint was deleted, here or elsewhere: what waits for it and its history are gone. */
  removed(id: string): void {
    this.#snapshot.remove(id)
    this.#watch?.changed()
    this.#runner.discarded(this.#backlog.discard(id))
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

  /**
   * Sends a message by hand and waits for its end: one attempt, not counted.
   *
   * @returns whether it was delivered; `null` where there is no room now @throws StoreTimeout where no end was seen in time
   */
  async replay(endpointId: string, event: AuditEvent, messageId: string): Promise<boolean | null> {
    const { clock, limits } = this.#parts
    const { ended, stop } = this.#history.nextEnd(endpointId, messageId)
    try {
      if (!this.#admit(new DeliveryJob(endpointId, event, messageId))) return null
      const ms = limits.deliveryTimeoutMs + LONGEST_WAIT_MS
      const late = () => new StoreTimeout(String(ms))
      return (await withTimeout(ms, clock, () => ended, late)).ok
    } finally {
      stop()
    }
  }

  /** Deliveries that ended on this instance, newest first, at most 20. */
  deliveries(endpointId: string): readonly DeliveryRecord[] {
    return this.#history.of(endpointId)
  }

  /** Of the last 24 hours, on this instance. */
  recent(endpointId: string): RecentOutcomes | null {
    return this.#history.recent.of(endpointId, this.#parts.clock.now())
  }

  /** On this instance. */
  queue(): QueueState {
    const { size, inFlight } = this.#queue
    return { size: size - inFlight, inFlight, dropped: this.#drops.total }
  }

  /** What waits and is under way wherever the queue reaches. @throws WebhooksUnavailable (503) where it cannot be asked */
  state(): Promise<BacklogState> {
    return this.#backlog.state()
  }

  /**
   * Resolves when the deliveries that follow from the events recorded so far outlive this process; at once where they
   * live in memory. @throws WebhooksUnavailable (503) where they cannot be stored now
   */
  async admitted(): Promise<void> {
    const { durable = null } = this.#parts
    if (durable !== null) await this.#snapshot.settled()
    await this.#backlog.admitted()
  }

  /** What waits for an endpoint, the first twenty of it; `null` where it cannot be asked now. */
  pending(endpointId: string): Promise<PendingDeliveries | null> {
    return this.#backlog.pending(endpointId, 20)
  }

  /** Deliveries dropped for this endpoint since the start of this instance. */
  droppedOf(endpointId: string): number {
    return this.#drops.of(endpointId)
  }

  async #settle(): Promise<void> {
    await Promise.all([this.#backlog.close(this.#unfinished), this.#sharing?.close()])
  }

  #admit(job: DeliveryJob): boolean {
    const admitted = this.#backlog.admit(job)
    if (admitted) this.#runner.pumpSoon()
    return admitted
  }

  async #drain(): Promise<void> {
    const { transport, log, limits } = this.#parts
    this.#snapshot.freeze()
    this.#watch?.stop()
    this.#closed = true
    this.#runner.discarded(this.#backlog.stop())
    const unfinished = await this.#runner.stop(Math.min(limits.deliveryTimeoutMs, LONGEST_CLOSE_MS))
    this.#unfinished = unfinished
    try {
      await transport.close()
    } catch (error) {
      log.error({ code: 'SVC_WEBHOOKS_UNSENT', err: error }, 'the connections to webhook endpoints could not be closed')
    }
  }
}
