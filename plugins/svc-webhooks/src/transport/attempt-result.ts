/** What is sent in one attempt of a delivery, and what may come of it. */
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
      /** 200 to 599 and beyond, as received; redirects are not followed. */
      readonly status: number
      /** The first 2 KB, as UTF-8; no more than 64 KB were read. */
      readonly responseBody: string
      /** The header `Retry-After`, as received, where there was one. */
      readonly retryAfter?: string
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
