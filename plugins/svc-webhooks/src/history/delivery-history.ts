/**
 * The last deliveries of each endpoint, in the memory of this instance. A request
 * body is not kept but written again from its event, which the journal and all
 * endpoints share.
 */
import type { AuditEvent } from 'svc-kernel'
import { RingBuffer } from 'svc-stores'
import { webhookMessage } from '../events/webhook-message.ts'
import type { DeliveryRecord } from './delivery-record.ts'
import { truncateUtf8 } from './truncate-utf8.ts'

const KEPT = 20
const MAX_REQUEST_BYTES = 8192
const MAX_RESPONSE_BYTES = 2048

/** Endpoints deleted on another instance are never told of here: the one that was silent longest makes room. */
const MAX_ENDPOINTS = 10_000

type EndedDelivery = Omit<DeliveryRecord, 'requestBody'>

interface Entry {
  readonly event: AuditEvent
  readonly ended: EndedDelivery
}

export class DeliveryHistory {
  /** In the order of their last delivery. */
  readonly #endpoints = new Map<string, RingBuffer<Entry>>()

  add(endpointId: string, event: AuditEvent, ended: EndedDelivery): void {
    const entries = this.#endpoints.get(endpointId) ?? new RingBuffer<Entry>(KEPT)
    const responseBody = ended.responseBody === null ? null : truncateUtf8(ended.responseBody, MAX_RESPONSE_BYTES)
    entries.push({ event, ended: { ...ended, responseBody } })
    this.#endpoints.delete(endpointId)
    this.#endpoints.set(endpointId, entries)
    if (this.#endpoints.size > MAX_ENDPOINTS) this.#forgetOldest()
  }

  /** Newest first. */
  of(endpointId: string): DeliveryRecord[] {
    return [...this.#newest(endpointId)].map(({ event, ended }) => ({
      ...ended,
      requestBody: truncateUtf8(webhookMessage(ended.messageId, event), MAX_REQUEST_BYTES)
    }))
  }

  /** What a message was about; `null` when it is not kept. */
  eventOf(endpointId: string, messageId: string): AuditEvent | null {
    for (const { event, ended } of this.#newest(endpointId)) {
      if (ended.messageId === messageId) return event
    }
    return null
  }

  forget(endpointId: string): void {
    this.#endpoints.delete(endpointId)
  }

  #newest(endpointId: string): Iterable<Entry> {
    return this.#endpoints.get(endpointId)?.newest() ?? []
  }

  #forgetOldest(): void {
    const [oldest] = this.#endpoints.keys()
    if (oldest !== undefined) this.#endpoints.delete(oldest)
  }
}
