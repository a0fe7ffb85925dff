/**
 * Session ids: 32 random bytes, known to the browser alone. What is stored, listed
 * and logged is their SHA-256, from which nobody gets the cookie back.
 */
import { hash, randomBytes } from 'node:crypto'

const BYTES = 32
const FORM = /^[A-Za-z0-9_-]{43}$/

export function newSessionId(): string {
  return randomBytes(BYTES).toString('base64url')
}

/** What has another form was never given out: no store is asked for it. */
export function isSessionId(text: string): boolean {
  return FORM.test(text)
}

export function sessionRef(id: string): string {
  return hash('sha256', id, 'base64url')
}
