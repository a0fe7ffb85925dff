/** A refresh token: `rt_` and 32 random bytes. Stored is its SHA-256 alone. */
import { hash, randomBytes } from 'node:crypto'

const FORM = /^rt_[\w-]{42}[AEIMQUYcgkosw048]$/

export function newRefreshToken(): string {
  return `rt_${randomBytes(32).toString('base64url')}`
}

/** Told by its form alone, before any store is asked. */
export function isRefreshToken(text: string): boolean {
  return FORM.test(text)
}

/** What a token of ours is looked up by; its secret has the strength of a key, so one hash is enough. */
export function secretHash(token: string): string {
  return hash('sha256', token, 'hex')
}
