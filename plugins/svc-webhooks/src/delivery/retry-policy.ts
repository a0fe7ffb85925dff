/** What follows from the end of an attempt (spec, "Delivery attempt classification", "Constants"). Pure. */
import type { AttemptEnd } from './attempt.ts'
import type { DeliveryOutcome } from './delivery-history.ts'
import { type EndpointHealth, QUICK_MS } from './queue/endpoint-queue.ts'
import { LONGEST_BACKOFF_MS } from './queue/retries.ts'

export type AttemptVerdict = 'success' | 'retry' | 'failure' | 'abandoned'

const TIMEOUT = 408
const TOO_MANY = 429

export function classifyAttempt(end: AttemptEnd): AttemptVerdict {
  switch (end.kind) {
    case 'answered':
      return classifyStatus(end.status)
    case 'failed':
      return 'retry'
    case 'unsent':
      return end.passing ? 'retry' : 'failure'
    case 'abandoned':
      return 'abandoned'
  }
}

/** How a delivery ends with this verdict, when there is no further attempt. */
export function finalOutcome(verdict: AttemptVerdict): DeliveryOutcome {
  switch (verdict) {
    case 'success':
      return 'delivered'
    case 'retry':
      return 'exhausted'
    case 'failure':
      return 'failed'
    case 'abandoned':
      return 'abandoned'
  }
}

function classifyStatus(status: number): AttemptVerdict {
  if (status >= 200 && status <= 299) return 'success'
  if (status >= 500 && status <= 599) return 'retry'
  return status === TIMEOUT || status === TOO_MANY ? 'retry' : 'failure'
}

/** What an attempt says of its endpoint. */
export function healthAfter(verdict: AttemptVerdict, durationMs: number): EndpointHealth {
  const quick = durationMs <= QUICK_MS
  if (verdict === 'retry') return quick ? 'unproven' : 'failing'
  return quick ? 'quick' : 'slow'
}

const FIRST_BACKOFF_MS = 5_000

/** Answers whose `Retry-After` is meant for the sender of a retry (RFC 9110, RFC 6585). */
const RETRY_AFTER: ReadonlySet<number> = new Set([429, 503])

/** 5 s doubled per attempt, at most 300 s, without jitter. @param failures attempts that have failed so far, at least 1 */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS)
}

/**
 * When the next attempt is due. A receiver may ask for more time than the schedule gives, up to its longest wait; never
 * for less.
 *
 * @param now epoch ms, when the attempt ended @returns epoch ms
 */
export function retryDue(failures: number, end: AttemptEnd, now: number): number {
  const wait = backoffMs(failures)
  const asked = end.kind === 'answered' && RETRY_AFTER.has(end.status) ? retryAfterMs(end.retryAfter ?? '', now) : 0
  return now + Math.min(Math.max(wait, asked), LONGEST_BACKOFF_MS)
}

/** Seconds, or a date of HTTP (RFC 9110, section 10.2.3). @returns ms; 0 for what is neither */
function retryAfterMs(header: string, now: number): number {
  const text = header.trim()
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  const date = /^[A-Z][a-z]{2,8},? .*\bGMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
