/**
 * What the applications without accounts of their own have in common: one user, API keys kept as SHA-256, revoked tokens.
 * A caller is known by a record in memory that is looked up on every request, as ours does it.
 */
import { createHash, randomBytes } from 'node:crypto'

export interface User {
  readonly identifier: string
  readonly roles: readonly string[]
}

interface StoredKey {
  readonly identifier: string
  readonly expiresAt: number
}

/** Signs the tokens of the frameworks that sign with a shared secret. */
export const TOKEN_SECRET = randomBytes(32).toString('base64')
export const LIFETIME_S = 86_400

export const alice: User = { identifier: 'alice', roles: ['ROLE_MEMBER'] }

const users = new Map<string, User>([[alice.identifier, alice]])
const keys = new Map<string, StoredKey>()
const revoked = new Set<string>()

/** @returns a new key of the user, of which only the hash is kept */
export function createApiKey(identifier: string): string {
  const key = randomBytes(32).toString('base64url')
  keys.set(sha256(key), { identifier, expiresAt: Date.now() + LIFETIME_S * 1000 })
  return key
}

/** @returns `null` for a key that is unknown or has expired, or whose user is gone */
export function userOfApiKey(key: string): User | null {
  const stored = keys.get(sha256(key))
  if (stored === undefined || stored.expiresAt <= Date.now()) return null
  return findUser(stored.identifier)
}

/** Claims of a token whose signature and expiry hold. */
export interface Claims {
  readonly sub: string
  readonly jti: string
}

/** @returns `null` for a token that was revoked, or whose user is gone */
export function userOfClaims({ sub, jti }: Claims): User | null {
  return revoked.has(jti) ? null : findUser(sub)
}

export function findUser(identifier: string): User | null {
  return users.get(identifier) ?? null
}

/** @returns what follows the scheme, or `null` without a bearer */
export function bearerOf(header: string | undefined): string | null {
  return header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : null
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
