/** What the history keeps of a delivery that has ended: its last attempt, and how it ended. */

/**
 * - `delivered`: answered 2xx
 * - `failed`: an answer that is not tried again, or the one attempt of a message sent by hand
 * - `exhausted`: every attempt failed; the message is lost
 * - `abandoned`: the URL is no longer allowed; nothing was sent
 */
export type DeliveryOutcome = 'delivered' | 'failed' | 'exhausted' | 'abandoned'

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
