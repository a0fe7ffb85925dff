/**
 * The dispatcher turns an event of the audit journal into deliveries. It admits events at once, on the stack of the
 * recorder; everything else happens later, in the worker of the queue. In memory a delivery without room is dropped and
 * counted; a shared queue keeps it.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditEvent, AuditPort, Clock } from 'svc-kernel'
import { randomId, withTimeout } from 'svc-kernel/plugin'
import { type Queue, type QueueBounds, Worker } from 'svc-queue'
import type { WebhookRecord } from '../endpoints/endpoint.ts'
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts'
import { EndpointSnapshot } from '../endpoints/endpoint-snapshot.ts'
import { timedStore, type WebhooksStore } from '../endpoints/endpoint-store.ts'
import type { EndpointVersion } from '../endpoints/endpoint-version.ts'
import { EndpointWatch } from '../endpoints/endpoint-watch.ts'
import { QueueFull } from '../errors.ts'
import type { DeliveryRecord } from '../history/delivery-record.ts'
import type { LastingHistory } from '../history/lasting-history.ts'
import type { WebhooksConfig } from '../options.ts'
import { Deliveries, type DeliveryAttempt } from './deliveries.ts'
import { QUEUE_TEXTS } from './deliveries-queue.ts'
import { publish } from './delivery-channels.ts'
import { DeliveryHistory } from './delivery-history.ts'
import { DeliveryJob, jobOf, testEvent } from './delivery-job.ts'
import { DropCounter } from './drop-counter.ts'
import { type BacklogState, type PendingDeliveries, pendingDeliveries, type QueueState } from './pending-deliveries.ts'
import type { RecentOutcomeCounts } from './recent-outcomes.ts'
import { replayed } from './replay.ts'
import { doublingRetries, type Schedule, scheduledRetries } from './retry-schedule.ts'
import { SharingStore } from './sharing-store.ts'
import type { Transport } from './transport/transport.ts'

/** Options of the plugin. */
export type DispatchLimits = QueueBounds &
  Pick<WebhooksConfig, 'maxRetries' | 'autoDisableThreshold' | 'deliveryTimeoutMs' | 'snapshotTtlS' | 'endpointLimits'>

/** The queue that survives restarts. */
export interface DurableParts extends Schedule {
  readonly queue: Queue
}

export interface DispatcherParts {
  readonly store: WebhooksStore
  readonly secrets: EndpointSecrets
  readonly transport: Transport
  readonly audit: Pick<AuditPort, 'record' | 'subscribe' | 'catalogue'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly limits: DispatchLimits
  /** Absent or `null`: the history is stored in memory only. */
  readonly lasting?: LastingHistory | null
  /** The HTTP server of the application, part of every message on the diagnostics channels. */
  readonly app: object
  /** Absent or `null`: deliveries wait in memory. */
  readonly durable?: DurableParts | null
  /** The shared version of the endpoints; absent or `null` with a single instance. */
  readonly version?: EndpointVersion | null
}

/** A stopping server has ten seconds by default; this leaves time for the rest. */
const LONGEST_CLOSE_MS = 8_000

/** Fastify aborts a start after ten seconds, and a silent store must not keep the application down. */
const LONGEST_START_MS = 5_000

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #snapshot: EndpointSnapshot
  readonly #watch: EndpointWatch | null
  readonly #history: DeliveryHistory
  readonly #worker: Worker<DeliveryJob, DeliveryAttempt>
  readonly #sharing: SharingStore | null
  readonly #drops: DropCounter
  #unsubscribe: (() => void) | null = null
  #draining: Promise<void> | null = null
  #settling: Promise<void> | null = null
  #closed = false
  /** Losses that are in the log already. */
  #reported = 0

  constructor(parts: DispatcherParts) {
    const { clock, limits, log, durable = null, app, version = null } = parts
    this.#parts = parts
    this.#history = new DeliveryHistory(parts.lasting)
    this.#drops = new DropCounter(log)
    const timed = timedStore(parts.store, clock, limits.deliveryTimeoutMs)
    // With a shared queue endpoints get many deliveries in a row: they are read, and their successes written, once for many.
    this.#sharing = durable === null ? null : new SharingStore({ store: timed, clock, log })
    const handler = new Deliveries({
      ...parts,
      ...limits,
      store: this.#sharing ?? timed,
      history: this.#history,
      drops: this.#drops,
      retries: durable === null ? doublingRetries(limits.maxRetries) : scheduledRetries(durable),
      onDisabled: (endpointId) => {
        this.#snapshot.remove(endpointId)
        this.#watch?.changed()
        publish('disabled', () => ({ app, endpointId, type: 'webhook.disabled', eventId: null }))
      },
      onWithheld: (endpointId, because) => {
        this.#history.withheld(endpointId)
        if (because === 'deleted') this.removed(endpointId)
        // In memory each delivery of a disabled endpoint is withheld when its turn comes.
        else if (this.#worker.isShared) this.#worker.discard(endpointId)
      }
    })
    this.#worker = new Worker({
      name: 'webhooks',
      clock,
      log,
      handler,
      limits: { ...limits, laneLimits: limits.endpointLimits },
      shared: durable === null ? null : { queue: durable.queue, codec: handler, texts: QUEUE_TEXTS }
    })
    this.#snapshot = new EndpointSnapshot({
      ...parts,
      ttlS: limits.snapshotTtlS,
      onLoaded: ({ id, failureCount, lastDeliveryStatus }) => {
        // It failed before the restart, so it must not go before endpoints of which nothing is known.
        if (failureCount > 0 && lastDeliveryStatus === null) this.#worker.presume(id, 'failing')
      },
      onLate: (endpointId, { event, traceparent }) => {
        const job = jobOf(endpointId, event, parts.audit)
        job.traceparent = traceparent
        return this.#worker.admit(job)
      }
    })
    const reload = () => this.#snapshot.reload()
    const changes = durable?.queue.changes ?? null
    const isShared = version !== null || changes !== null
    this.#watch = isShared ? new EndpointWatch({ version, changes, clock, log, reload }) : null
  }

  /** Loads the endpoints, for 5 s at most, then subscribes to the journal. After a failure a later event tries again. */
  async start(): Promise<void> {
    const { clock, log, audit } = this.#parts
    const text = 'the server starts without webhook endpoints, because their store has not answered yet'
    await withTimeout(
      LONGEST_START_MS,
      clock,
      () => this.#snapshot.load(),
      () => new Error(text)
    ).catch(() => {
      log.warn({ code: 'SVC_WEBHOOKS_STORE' }, text)
    })
    if (this.#closed) return
    const listener = (event: AuditEvent) => {
      // This runs on the stack of the recorder, where an iterator would cost more than the look-up.
      const to = this.#snapshot.recipients(event)
      let isTaken = true
      for (let at = 0; at < to.length; at += 1) {
        if (!this.#worker.admit(jobOf(to[at] as string, event, audit))) isTaken = false
      }
      // The memory queue drops a delivery without room. A request that waits for a durable queue gets an error
      // instead.
      return isTaken || !this.#worker.isShared
    }
    this.#unsubscribe = audit.subscribe(listener, { flush: () => this.admitted() })
    this.#watch?.start()
    await this.#worker.start()
  }

  /**
   * Stops admission, cancels retries and releases the queue. Running attempts may take `deliveryTimeoutMs`, at most 8
   * s. Later events are stored in a durable queue, or counted as lost.
   */
  drain(): void {
    this.#draining ??= this.#drain()
  }

  /** Drains, closes the transport, unsubscribes, and logs how many deliveries are lost. Never rejects. */
  async close(): Promise<void> {
    this.drain()
    await this.#draining
    this.#unsubscribe?.()
    this.#unsubscribe = null
    this.#settling ??= this.#settle()
    await this.#settling
    const { lost } = this.#worker
    if (lost === this.#reported) return
    const text = `the stop lost ${lost - this.#reported} webhook deliveries`
    this.#parts.log.warn({ code: 'SVC_WEBHOOKS_LOST', lost: lost - this.#reported }, text)
    this.#reported = lost
  }

  /** Deliveries were stored in the durable queue beside this dispatcher: its worker looks for them now. */
  look(): void {
    this.#worker.look()
  }

  /** This instance created or changed an endpoint, so its cached state is outdated. */
  changed(endpoint: WebhookRecord): void {
    this.#snapshot.set(endpoint)
    this.#watch?.changed()
    this.#worker.forget(endpoint.id)
  }

  /** An endpoint was deleted, here or elsewhere: its waiting deliveries and its history are removed. */
  removed(id: string): void {
    this.#snapshot.remove(id)
    this.#watch?.changed()
    this.#worker.discard(id)
    this.#worker.forget(id)
    this.#drops.forget(id)
    this.#sharing?.forget(id)
    this.#history.forget(id)
  }

  /** Sends a test message: one attempt, which does not count as a failure. @throws QueueFull (503) */
  async sendTest({ id }: WebhookRecord): Promise<{ messageId: string }> {
    const messageId = randomId('msg')
    if (!this.#worker.admit(new DeliveryJob(id, testEvent(id, this.#parts.clock.now()), messageId)))
      throw new QueueFull()
    return { messageId }
  }

  /** Sends a message of the history again, once. @returns `false` if it is not in memory @throws QueueFull (503) */
  async resend({ id }: WebhookRecord, messageId: string): Promise<boolean> {
    const event = this.#history.eventOf(id, messageId) ?? (await this.#parts.lasting?.eventOf(id, messageId)) ?? null
    if (event === null) return false
    if (!this.#worker.admit(new DeliveryJob(id, event, messageId))) throw new QueueFull()
    return true
  }

  /**
   * Sends a message by hand and waits for its end: one attempt, not counted.
   *
   * @returns whether it was delivered; `null` without room now @throws EndpointClosed if nothing may be sent, StoreTimeout
   */
  replay(endpointId: string, event: AuditEvent, messageId: string): Promise<boolean | null> {
    const { clock, limits } = this.#parts
    const { deliveryTimeoutMs } = limits
    const parts = { history: this.#history, worker: this.#worker, clock, deliveryTimeoutMs }
    return replayed(new DeliveryJob(endpointId, event, messageId), parts)
  }

  /** The last deliveries that ended on this instance, newest first, at most 20. */
  deliveries(endpointId: string): readonly DeliveryRecord[] {
    return this.#history.of(endpointId)
  }

  /** Outcomes of the last 24 hours, on this instance. */
  get outcomes(): Omit<RecentOutcomeCounts, 'add' | 'forget'> {
    return this.#history.recent
  }

  /** On this instance. */
  queue(): QueueState {
    const { waiting, running } = this.#worker
    return { size: waiting, inFlight: running, dropped: this.#drops.total }
  }

  /** What waits and runs, wherever the queue reaches. @throws WebhooksUnavailable (503) if it is unreachable */
  async state(): Promise<BacklogState> {
    const { waiting, held, oldestMs } = await this.#worker.counts()
    const state = { size: waiting, inFlight: held, dropped: this.#drops.total }
    if (!this.#worker.isShared) return state
    return { ...state, oldestS: oldestMs === null ? null : Math.floor(oldestMs / 1000) }
  }

  /**
   * Resolves when the deliveries of all events recorded so far survive a restart; at once with the memory queue.
   * @throws WebhooksUnavailable (503) if they cannot be stored
   */
  async admitted(): Promise<void> {
    if (this.#worker.isShared) await this.#snapshot.settled()
    await this.#worker.admitted()
  }

  /** The first twenty waiting deliveries of an endpoint; `null` if the queue is unreachable. */
  async pending(endpointId: string): Promise<PendingDeliveries | null> {
    const pending = await this.#worker.pending(endpointId, 20)
    return pending === null ? null : pendingDeliveries(pending)
  }

  /** Deliveries dropped for this endpoint since the start of this instance. */
  droppedOf(endpointId: string): number {
    return this.#drops.of(endpointId)
  }

  async #settle(): Promise<void> {
    await Promise.all([this.#worker.close(), this.#sharing?.close()])
  }

  async #drain(): Promise<void> {
    const { transport, log, limits } = this.#parts
    this.#snapshot.freeze()
    this.#watch?.stop()
    this.#closed = true
    await this.#worker.stop(Math.min(limits.deliveryTimeoutMs, LONGEST_CLOSE_MS))
    try {
      await transport.close()
    } catch (error) {
      log.error({ code: 'SVC_WEBHOOKS_UNSENT', err: error }, 'the connections to webhook endpoints could not be closed')
    }
  }
}
