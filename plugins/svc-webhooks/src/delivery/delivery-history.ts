/** The last deliveries of each endpoint, in the memory of this instance. */
import type { AuditEvent } from 'svc-kernel'
import { RingBuffer } from 'svc-stores'
import { webhookMessage } from './queue/delivery-job.ts'

/**
 * - `delivered`: answered 2xx
 * - `failed`: an answer that is not tried again, or the one attempt of a message sent by hand
 * - `exhausted`: every attempt failed; the message is lost
 * - `abandoned`: the URL is no longer allowed; nothing was sent
 */
export type DeliveryOutcome = 'delivered' | 'failed' | 'exhausted' | 'abandoned'

/** A delivery that has ended: its last attempt, and how it ended. */
export interface DeliveryRecord {
  /** When it ended, epoch ms. */
  readonly ts: number
  readonly messageId: string
  /** The audit action, or `webhook.test`. */
  readonly type: string
  /** Number of the last attempt, from 1. */
  readonly attempt: number
  readonly ok: boolean
  /** `null` when there was no answer. */
  readonly status: number | null
  /** Fixed words, without addresses; `null` when it was delivered. */
  readonly error: string | null
  /** Of the last attempt. */
  readonly durationMs: number
  readonly outcome: DeliveryOutcome
  /** At most 8 KB of UTF-8, cut between characters. */
  readonly requestBody: string
  /** At most 2 KB of UTF-8, as the receiver sent it: text not to be trusted. `null` without an answer. */
  readonly responseBody: string | null
}

const KEPT = 20
const MAX_REQUEST_BYTES = 8192
const MAX_RESPONSE_BYTES = 2048

/** Endpoints deleted on another instance stay here: the one without a delivery for longest makes room. */
const MAX_ENDPOINTS = 10_000

type EndedDelivery = Omit<DeliveryRecord, 'requestBody'>

interface Entry {
  readonly event: AuditEvent
  readonly ended: EndedDelivery
}

/** A request body is not kept but written again from its event, which the journal and all endpoints share. */
export class DeliveryHistory {
  /** In the order of their last delivery. */
  readonly #endpoints = new Map<string, RingBuffer<Entry>>()

  add(endpointId: string, event: AuditEvent, ended: EndedDelivery): void {
    const entries = this.#endpoints.get(endpointId) ?? new RingBuffer<Entry>(KEPT)
    const responseBody = ended.responseBody === null ? null : truncateUtf8(ended.responseBody, MAX_RESPONSE_BYTES)
    entries.push({ event, ended: { ...ended, responseBody } })
    this.#endpoints.delete(endpointId)
    this.#endpoints.set(endpointId, entries)
    const [oldest = ''] = this.#endpoints.keys()
    if (this.#endpoints.size > MAX_ENDPOINTS) this.#endpoints.delete(oldest)
  }

  /** Newest first. */
  of(endpointId: string): DeliveryRecord[] {
    return this.#newest(endpointId).map(({ event, ended }) => ({
      ...ended,
      requestBody: truncateUtf8(webhookMessage(ended.messageId, event), MAX_REQUEST_BYTES)
    }))
  }

  /** What a message was about; `null` when it is not kept. */
  eventOf(endpointId: string, messageId: string): AuditEvent | null {
    return this.#newest(endpointId).find(({ ended }) => ended.messageId === messageId)?.event ?? null
  }

  forget(endpointId: string): void {
    this.#endpoints.delete(endpointId)
  }

  #newest(endpointId: string): Entry[] {
    return [...(this.#endpoints.get(endpointId)?.newest() ?? [])]
  }
}

/** The beginning of a text, as much of it as fits into a number of bytes, cut between two characters. */
export function truncateUtf8(text: string | Buffer, maxBytes: number): string {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  if (bytes.length <= maxBytes) return bytes.toString()
  let end = maxBytes
  // At a continuation byte, the character began before.
  while (end > 0 && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1
  return bytes.toString('utf8', 0, end)
}
