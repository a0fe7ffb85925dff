/** A one-time token, as it is stored: the hash of a secret that a link carries, and what it lets its holder do. */
import { hash, randomBytes } from 'node:crypto'
import type { JsonObject } from '../records/record-values.ts'

export interface TokenRecord<Purpose extends string = string> {
  /** Of each, the newest token alone is stored. */
  readonly id: string
  /** What a token is for: it does nothing else. */
  readonly purpose: Purpose
  /** Whose it is, such as the id of a user; `null` while there is none. */
  readonly subject: string | null
  /** Login name of the user as it was: the token ends with it, and with its password. `null`: with neither. */
  readonly identifier: string | null
  /** Where it was sent. */
  readonly address: string
  /** SHA-256 of the secret, base64url; `null` until one was sent. */
  readonly hash: string | null
  readonly data: JsonObject
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms. */
  readonly expiresAt: number
}

const SECRET_BYTES = 32

/** The secret of a one-time token: 256 bits, base64url. */
export function newTokenSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** What is stored of a secret; it needs no salt, as nobody can guess the secret. */
export function tokenHash(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
