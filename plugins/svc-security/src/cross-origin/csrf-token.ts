/**
 * The synchroniser token of a session: an HMAC under the session id, which only
 * the browser and, hashed, the store have. It is new with each session and cannot
 * be planted. Pure.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header that brings it. */
export const CSRF_HEADER = 'x-csrf-token'

/** Part of the derivation; never changes. */
const CONTEXT = 'svc-security/csrf'

export function csrfToken(sessionId: string): string {
  return createHmac('sha256', sessionId).update(CONTEXT).digest('base64url')
}

export function isCsrfToken(given: unknown, sessionId: string): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(given), Buffer.from(csrfToken(sessionId))]
  return a.length === b.length && timingSafeEqual(a, b)
}
