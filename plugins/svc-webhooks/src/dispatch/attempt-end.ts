/** How an attempt can end, as seen by the dispatcher: what the transport says, and why nothing was given to it. */
import type { AttemptResult } from '../transport/transport.ts'

/** The endpoint is gone or switched off: the message is no longer wanted. */
export interface Withheld {
  readonly kind: 'withheld'
  readonly because: 'deleted' | 'disabled'
}

/** Nothing was sent, and the receiver has no part in it: it is never counted against the endpoint. */
export interface Unsent {
  readonly kind: 'unsent'
  /** Fixed words. */
  readonly error: string
  /** True when it may pass. */
  readonly passing: boolean
  readonly durationMs: number
}

export type AttemptEnd = AttemptResult | Unsent
