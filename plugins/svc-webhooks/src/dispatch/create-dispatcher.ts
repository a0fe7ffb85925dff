/** Puts the dispatcher together: the journal on one side, the queue and its slots in the middle, records at the end. */
import { type AuditEvent, randomId } from 'svc-kernel'
import type { WebhookRecord } from 'svc-stores'
import { within } from '../deadline/within.ts'
import { QueueFull } from '../errors.ts'
import { testEvent } from '../events/test-event.ts'
import { DeliveryHistory } from '../history/delivery-history.ts'
import type { DeliveryRecord } from '../history/delivery-record.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { publish } from './delivery-channels.ts'
import { DeliveryJob } from './delivery-job.ts'
import { DeliveryLoop } from './delivery-loop.ts'
import type { Dispatcher, DispatcherParts, QueueState } from './dispatcher.ts'
import { EndpointSnapshot } from './endpoint-snapshot.ts'
import { OutcomeRecorder } from './outcome-recorder.ts'

/** A server that stops has ten seconds, unless it was given more: these leave it time for the rest. */
const LONGEST_CLOSE_MS = 8_000

/** Fastify gives a start up after ten seconds: an application does not stay down because a store is silent. */
const LONGEST_START_MS = 5_000

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  return new JournalDispatcher(parts)
}

class JournalDispatcher implements Dispatcher {
  readonly #parts: DispatcherParts
  readonly #snapshot: EndpointSnapshot
  readonly #history = new DeliveryHistory()
  readonly #loop: DeliveryLoop
  #unsubscribe: (() => void) | null = null
  #draining: Promise<void> | null = null
  #closing: Promise<void> | null = null

  constructor(parts: DispatcherParts) {
    const { store, clock, log, limits, app } = parts
    const { autoDisableThreshold, deliveryTimeoutMs } = limits
    this.#parts = parts
    this.#snapshot = new EndpointSnapshot({
      store,
      clock,
      log,
      ttlS: limits.snapshotTtlS,
      onLoaded: ({ id, failureCount, lastDeliveryStatus }) => {
        if (failureCount > 0 && lastDeliveryStatus === null) this.#loop.presumeFailing(id)
      },
      onLate: (endpointId, event) => void this.#loop.admit(new DeliveryJob(endpointId, event))
    })
    const onDisabled = (endpointId: string) => {
      this.#snapshot.remove(endpointId)
      publish('disabled', () => ({ app, endpointId, type: 'webhook.disabled' }))
    }
    const recorder = new OutcomeRecorder({
      ...parts,
      history: this.#history,
      autoDisableThreshold,
      deadlineMs: deliveryTimeoutMs,
      onDisabled
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

  async start(): Promise<void> {
    const { clock, log } = this.#parts
    await within(LONGEST_START_MS, clock, () => this.#snapshot.load()).catch(() => {
      const text = 'the server starts without the endpoints of webhooks: their store has not answered yet'
      log.warn({ code: 'SVC_WEBHOOKS_STORE' }, text)
    })
    if (this.#draining === null) this.#unsubscribe = this.#parts.audit.subscribe((event) => this.#hear(event))
  }

  drain(): void {
    this.#draining ??= this.#drain()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  changed(endpoint: WebhookRecord): void {
    this.#snapshot.set(endpoint)
    this.#loop.renew(endpoint.id)
  }

  removed(id: string): void {
    this.#snapshot.remove(id)
    this.#loop.discard(id)
    this.#loop.drops.forget(id)
    this.#history.forget(id)
  }

  async sendTest(endpoint: WebhookRecord): Promise<{ messageId: string }> {
    const messageId = randomId('msg')
    const event = testEvent(endpoint.id, this.#parts.clock.now())
    this.#admitByHand(new DeliveryJob(endpoint.id, event, messageId))
    return { messageId }
  }

  async resend(endpoint: WebhookRecord, messageId: string): Promise<boolean> {
    const event = this.#history.eventOf(endpoint.id, messageId)
    if (event === null) return false
    this.#admitByHand(new DeliveryJob(endpoint.id, event, messageId))
    return true
  }

  deliveries(endpointId: string): readonly DeliveryRecord[] {
    return this.#history.of(endpointId)
  }

  queue(): QueueState {
    const { waiting, inFlight, drops } = this.#loop
    return { size: waiting, inFlight, dropped: drops.total }
  }

  droppedOf(endpointId: string): number {
    return this.#loop.drops.of(endpointId)
  }

  /** In the stack of whoever records: nothing but look-ups and admission. */
  #hear(event: AuditEvent): void {
    const recipients = this.#snapshot.recipients(event)
    if (recipients.length === 0) return
    for (const endpointId of recipients) this.#loop.admit(new DeliveryJob(endpointId, event))
  }

  #admitByHand(job: DeliveryJob): void {
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
