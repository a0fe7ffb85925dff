/** The error of a call that failed. One class: its `code` says what happened, and its `status` how the server answered. */
import type { ProblemCodes } from './problem-codes.ts'

/** Codes of the client itself; those of the server are in `docs/reference/errors.md`. */
export type ClientCode = keyof ProblemCodes

/** An error that no route answered. */
export interface ClientFailure {
  readonly code: ClientCode
  /** 0 where there was no answer. */
  readonly status: number
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What `call` throws. `attempt` returns the same as a value, typed by the route. */
export class CallError extends Error {
  /** Of the server, such as `SVC_HTTP_VALIDATION`, or one of `ClientCode`. */
  readonly code: string
  /** The status of the answer; 0 where there was none. */
  readonly status: number
  /** The body of the error; empty where there was none. */
  readonly data: Readonly<Record<string, unknown>>
  /** Seconds after which the server takes the request again; `null` where it does not say. */
  readonly retryAfterS: number | null

  constructor(code: string, message: string, status = 0, data: CallError['data'] = {}, retryAfter?: string | null) {
    super(message)
    this.name = 'CallError'
    this.code = code
    this.status = status
    this.data = data
    this.retryAfterS = secondsOf(retryAfter)
  }
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function secondsOf(given: string | null | undefined): number | null {
  if (given == null) return null
  const seconds = /^\d+$/.test(given) ? Number(given) : Math.ceil((Date.parse(given) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
