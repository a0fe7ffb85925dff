/**
 * Whether an application has accounts at all. One whose zones admit the anonymous
 * visitor and nobody else gets no login routes, and is asked for no stores. Pure.
 */
import type { SvcSecurityOptions } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'

/** Authenticators that load a user. */
const OF_ACCOUNTS = new Set(['session', 'userpassword', 'jwt', 'apikey'])

/** Sections that mean nothing without accounts. */
const SECTIONS = ['session', 'users', 'passwords', 'rateLimit', 'jwt', 'apiKeys', 'totp', 'passkeys', 'oauth2'] as const

/** @param given the options before their defaults */
export function accountsInUse(given: SvcSecurityOptions, { users, stores }: SvcSecurityParts): boolean {
  if (users !== undefined || stores?.user !== undefined || stores?.session !== undefined) return true
  if (SECTIONS.some((section) => (given as Record<string, unknown>)[section] !== undefined)) return true
  return Object.values(given.areas ?? {}).some(({ authenticators }) =>
    authenticators.some((name) => OF_ACCOUNTS.has(name))
  )
}
