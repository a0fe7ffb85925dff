/** The last deliveries of each endpoint, in the memory of this instance. */
import type { AuditEvent } from 'svc-kernel'
import { decodeCursor, encodeCursor, RingBuffer } from 'svc-stores/plugin'
import {
  type DeliveryFilter,
  type DeliveryPage,
  type DeliveryPageQuery,
  type DeliveryRecord,
  type EndedDelivery,
  MAX_REQUEST_BYTES,
  MAX_RESPONSE_BYTES,
  truncateUtf8
} from '../history/delivery-record.ts'
import { webhookMessage } from '../signature/message.ts'
import { RecentOutcomeCounts } from './recent-outcomes.ts'

const KEPT = 20

/** Endpoints deleted on another instance stay here: the one without a delivery for longest makes room. */
const MAX_ENDPOINTS = 10_000

/** Where entries go beyond this memory, where deliveries have a history that lasts. */
export interface HistorySink {
  add(endpointId: string, event: AuditEvent, ended: EndedDelivery): void
  forget(endpointId: string): void
}

interface Entry {
  readonly event: AuditEvent
  readonly ended: EndedDelivery
}

/** A request body is not kept but written again from its event, which the journal and all endpoints share. */
export class DeliveryHistory {
  /** In the order of their last delivery. */
  readonly #endpoints = new Map<string, RingBuffer<Entry>>()
  readonly #lasting: HistorySink | null
  /** Of the last day, for lists of endpoints. */
  readonly recent = new RecentOutcomeCounts()
  /** By endpoint and message. */
  readonly #waiting = new Map<string, (ended: EndedDelivery | null) => void>()

  constructor(lasting: HistorySink | null = null) {
    this.#lasting = lasting
  }

  add(endpointId: string, event: AuditEvent, given: EndedDelivery): void {
    const entries = this.#endpoints.get(endpointId) ?? new RingBuffer<Entry>(KEPT)
    const ended = cut(given)
    this.recent.add(endpointId, ended.ts, ended.ok, ended.durationMs)
    entries.push({ event, ended })
    this.#lasting?.add(endpointId, event, ended)
    this.#waiting.get(`${endpointId} ${ended.messageId}`)?.(ended)
    this.#endpoints.delete(endpointId)
    this.#endpoints.set(endpointId, entries)
    const [oldest = ''] = this.#endpoints.keys()
    if (this.#endpoints.size > MAX_ENDPOINTS) this.#endpoints.delete(oldest)
  }

  /** An attempt that did not end its delivery: memory is for those that did. */
  retried(endpointId: string, event: AuditEvent, attempt: EndedDelivery): void {
    this.#lasting?.add(endpointId, event, cut(attempt))
  }

  /** How this message ends next; `null` where nothing is sent. @returns also what stops the wait */
  nextEnd(
    endpointId: string,
    messageId: string
  ): { readonly ended: Promise<EndedDelivery | null>; readonly stop: () => void } {
    const key = `${endpointId} ${messageId}`
    const ended = new Promise<EndedDelivery | null>((resolve) => this.#waiting.set(key, resolve))
    return { ended, stop: () => void this.#waiting.delete(key) }
  }

  /** The endpoint takes nothing: who waits for the end of a message need not wait longer. */
  withheld(endpointId: string): void {
    for (const [key, resolve] of this.#waiting) if (key.startsWith(`${endpointId} `)) resolve(null)
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
    this.recent.forget(endpointId)
    this.#lasting?.forget(endpointId)
  }

  #newest(endpointId: string): Entry[] {
    return [...(this.#endpoints.get(endpointId)?.newest() ?? [])]
  }
}

function cut(attempt: EndedDelivery): EndedDelivery {
  const { responseBody } = attempt
  return { ...attempt, responseBody: responseBody === null ? null : truncateUtf8(responseBody, MAX_RESPONSE_BYTES) }
}

/** A page of what memory holds. @param records newest first @throws InvalidPage (400) for a cursor that is none */
export function pageOfRecords(
  records: readonly DeliveryRecord[],
  { messageId, outcome, status, event, since = 0, until = Number.POSITIVE_INFINITY }: DeliveryFilter,
  { limit, cursor }: DeliveryPageQuery
): DeliveryPage {
  const found = records.slice(cursor === undefined ? 0 : startOf(records, cursor)).filter((record) => {
    if (messageId !== undefined && record.messageId !== messageId) return false
    if (outcome !== undefined && record.outcome !== outcome) return false
    if (status !== undefined && record.status !== status) return false
    return (event === undefined || record.type === event) && record.ts >= since && record.ts <= until
  })
  const deliveries = found.slice(0, limit)
  const last = deliveries.at(-1)
  const more = found.length > limit && last !== undefined
  return { deliveries, nextCursor: more ? encodeCursor({ ts: last.ts, id: last.messageId }) : null }
}

function startOf(records: readonly DeliveryRecord[], cursor: string): number {
  const { ts, id } = decodeCursor(cursor)
  const at = records.findIndex((record) => record.ts === ts && record.messageId === id)
  if (at !== -1) return at + 1
  const older = records.findIndex((record) => record.ts < ts)
  return older === -1 ? records.length : older
}
