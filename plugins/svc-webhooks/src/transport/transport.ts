/** The way of a delivery over the network, as the dispatcher sees it: one request, one result, within one deadline. */
import type { SsrfReason } from '../ssrf/ssrf-error.ts'

export interface DeliveryRequest {
  readonly url: string
  /** Without `host`, `connection` and `content-length`, which the transport sets. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export type AttemptResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** The first 2 KB, as UTF-8; no more than 64 KB were read. */
      readonly responseBody: string
      readonly durationMs: number
    }
  /** Nothing was answered, another attempt may pass. `error` is one of a few fixed words. */
  | { readonly kind: 'failed'; readonly error: string; readonly durationMs: number }
  /** The URL is refused, and stays refused: no connection was made, no retry helps. */
  | {
      readonly kind: 'abandoned'
      readonly error: string
      readonly reason: SsrfReason
      readonly durationMs: number
    }

export interface Transport {
  /**
   * Never rejects. Resolves at the latest `deadlineMs` after the call, whatever the receiver does: name, connection,
   * headers and body together. What is not over by then is destroyed.
   */
  send(request: DeliveryRequest, deadlineMs: number): Promise<AttemptResult>
  /** Ends idle connections and destroys those in use, whose attempts fail with `closed`. */
  close(): Promise<void>
}
