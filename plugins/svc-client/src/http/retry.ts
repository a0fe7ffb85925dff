/** Which errors pass, and how long to wait for that. */
import type { CallError } from '../errors.ts'
import type { RetryOptions } from '../options.ts'
import { failureOf } from './call-failures.ts'

/** Made twice, they do what they do once (RFC 9110, 9.2.2). */
const IDEMPOTENT = /^(?:GET|HEAD|OPTIONS|PUT|DELETE)$/

/** Of the idempotency gate: the first request under the key still runs. */
const RUNNING = 'SVC_SEC_IDEMPOTENCY_IN_FLIGHT'

/**
 * @param once the request has an idempotency key
 * @returns milliseconds until the call is made again; `null`: it is not
 */
export function waitFor(
  { code, status, retryAfterS }: CallError,
  method: string,
  once: boolean,
  made: number,
  { times = 2, delayMs = 300, longestMs = 10_000 }: RetryOptions
): number | null {
  if (made > times) return null
  const repeatable = once || IDEMPOTENT.test(method)
  // 429 is answered before the work, by whoever counts; the others may come after it.
  const passes =
    status === 429 ||
    (repeatable &&
      (status === 502 || status === 503 || status === 504 || code === 'SVC_CLIENT_NETWORK' || code === RUNNING))
  if (!passes) return null
  const wanted = Math.max(delayMs * 2 ** (made - 1) * (0.5 + Math.random() / 2), (retryAfterS ?? 0) * 1000)
  return wanted > longestMs ? null : wanted
}

/** Rejects as soon as the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** A call that may be made again. */
export interface Repeated {
  readonly method: string
  /** It has an idempotency key. */
  readonly once: boolean
  readonly retry: RetryOptions | false
  readonly signal: AbortSignal | undefined
}

/** Makes a call until it is answered, or its error does not pass. @throws CallError */
export async function repeated<T>(call: () => Promise<T>, { method, once, retry, signal }: Repeated): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await call()
    } catch (error) {
      const wait = retry === false || signal?.aborted ? null : waitFor(error as CallError, method, once, made, retry)
      if (wait === null) throw error
      await pause(wait, signal).catch((reason: unknown) => {
        throw failureOf(reason, signal, false)
      })
    }
  }
}
