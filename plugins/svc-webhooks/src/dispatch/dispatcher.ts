/**
 * The dispatcher: from an event of the audit journal to the outcome of its
 * deliveries. Best effort and bounded: what does not fit is dropped and counted,
 * and nothing waits across a restart.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditPort, Clock } from 'svc-kernel'
import type { WebhookRecord, WebhooksStore } from 'svc-stores'
import type { DeliveryRecord } from '../history/delivery-record.ts'
import type { EndpointSecrets } from '../secrets/endpoint-secrets.ts'
import type { Transport } from '../transport/transport.ts'
import type { DispatchLimits } from './dispatch-limits.ts'

export interface DispatcherParts {
  readonly store: WebhooksStore
  readonly secrets: EndpointSecrets
  readonly transport: Transport
  readonly audit: Pick<AuditPort, 'record' | 'subscribe'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly limits: DispatchLimits
  /** The HTTP server of the application; stands in every message on the diagnostics channels. */
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

export interface Dispatcher {
  /**
   * Loads the endpoints, waiting 5 s at most, then listens to the journal. A store that fails is logged and asked again
   * by a later event; endpoints that come late are known from then on.
   */
  start(): Promise<void>
  /**
   * Stops admitting, cancels retries, releases the queue; the attempts under way have `deliveryTimeoutMs` left, and
   * never more than 8 s. What is recorded from now on is counted as lost.
   */
  drain(): void
  /**
   * Drains, waits for that, closes the transport, listens no more, and logs how many deliveries were lost. Never
   * rejects.
   */
  close(): Promise<void>
  /** This instance created or changed an endpoint. */
  changed(endpoint: WebhookRecord): void
  /** This instance deleted an endpoint: what waits for it and its history are gone. */
  removed(id: string): void
  /**
   * Sends one signed `webhook.test` to this endpoint alone, enabled or not: one attempt, not counted.
   *
   * @throws QueueFull (503, SVC_WEBHOOKS_QUEUE_FULL)
   */
  sendTest(endpoint: WebhookRecord): Promise<{ messageId: string }>
  /**
   * Sends a message of the history again, under its id: one attempt, not counted, enabled or not.
   *
   * @returns `false` when the history does not hold it
   * @throws QueueFull (503, SVC_WEBHOOKS_QUEUE_FULL)
   */
  resend(endpoint: WebhookRecord, messageId: string): Promise<boolean>
  /** Deliveries that ended on this instance, newest first, at most 20. */
  deliveries(endpointId: string): readonly DeliveryRecord[]
  queue(): QueueState
  /** Deliveries dropped for this endpoint since the start of this instance. */
  droppedOf(endpointId: string): number
}
