/** An attempt of a delivery, as administrators see it, and what of its texts is stored. Pure. */

/**
 * - `delivered`: answered 2xx
 * - `failed`: an answer that is not tried again, or the one attempt of a message sent by hand
 * - `exhausted`: every attempt failed; the message is lost
 * - `abandoned`: the URL is no longer allowed; nothing was sent
 * - `retried`: the attempt failed, and another follows; a history that lasts has it
 */
export const OUTCOMES = ['delivered', 'failed', 'exhausted', 'abandoned', 'retried'] as const

/** How an attempt ended, as the history shows it. */
export type DeliveryOutcome = (typeof OUTCOMES)[number]

/** The attempt that ended it, or one before. */
export interface DeliveryRecord {
  /** When the attempt ended, epoch ms. */
  readonly ts: number
  readonly messageId: string
  /** The audit action, or `webhook.test`. */
  readonly type: string
  /** Its number, from 1. */
  readonly attempt: number
  readonly ok: boolean
  /** `null` when there was no answer. */
  readonly status: number | null
  /** Fixed words, without addresses; `null` when it was delivered. */
  readonly error: string | null
  readonly durationMs: number
  readonly outcome: DeliveryOutcome
  /** At most 8 KB of UTF-8, cut between characters. */
  readonly requestBody: string
  /** At most 2 KB of UTF-8, as the receiver sent it: text not to be trusted. `null` without an answer. */
  readonly responseBody: string | null
}

export type EndedDelivery = Omit<DeliveryRecord, 'requestBody'>

export interface DeliveryFilter {
  readonly messageId?: string
  readonly outcome?: DeliveryOutcome
  /** Of the answer. */
  readonly status?: number
  /** The audit action. */
  readonly event?: string
  /** Epoch ms, inclusive. */
  readonly since?: number
  /** Epoch ms, inclusive. */
  readonly until?: number
}

export interface DeliveryPageQuery {
  /** 1 to 1000. */
  readonly limit: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

/** One page of the history of an endpoint. */
export interface DeliveryPage {
  /** Newest first. */
  readonly deliveries: readonly DeliveryRecord[]
  /** `null` on the last page. */
  readonly nextCursor: string | null
}

export const MAX_REQUEST_BYTES = 8192
export const MAX_RESPONSE_BYTES = 2048

/** The beginning of a text, as much of it as fits into a number of bytes, cut between two characters. */
export function truncateUtf8(text: string | Buffer, maxBytes: number): string {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  if (bytes.length <= maxBytes) return bytes.toString()
  let end = maxBytes
  // At a continuation byte, the character began before.
  while (end > 0 && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1
  return bytes.toString('utf8', 0, end)
}
