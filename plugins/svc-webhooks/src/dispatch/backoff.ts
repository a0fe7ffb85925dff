/** How long a retry waits: 5 s doubled per attempt, at most 300 s, without jitter (spec, "Constants"). Pure. */
import type { AttemptEnd } from './attempt-end.ts'

const FIRST_MS = 5_000
/** No retry waits longer. */
export const LONGEST_BACKOFF_MS = 300_000

/** Answers whose `Retry-After` is meant for whoever sends again (RFC 9110, RFC 6585). */
const PACED: ReadonlySet<number> = new Set([429, 503])

/** @param failures attempts that have failed so far, at least 1 */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS)
}

/**
 * When the next attempt is due. A receiver may ask for more time than the schedule gives, up to its longest wait; never
 * for less.
 *
 * @param now epoch ms, when the attempt ended @returns epoch ms
 */
export function retryDue(failures: number, end: AttemptEnd, now: number): number {
  const wait = backoffMs(failures)
  const asked = end.kind === 'answered' && PACED.has(end.status) ? waitAsked(end.retryAfter ?? '', now) : 0
  return now + Math.min(Math.max(wait, asked), LONGEST_BACKOFF_MS)
}

/** Seconds, or a date of HTTP (RFC 9110, section 10.2.3). @returns ms; 0 for what is neither */
function waitAsked(header: string, now: number): number {
  const text = header.trim()
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  const date = /^[A-Z][a-z]{2,8},? .*\bGMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
