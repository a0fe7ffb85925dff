/** A one-time token, as the book stores it: the hash of a secret that a mail carries, and what it lets its holder do. */
import type { JsonObject } from 'svc-stores'

/** What a token is for: it does nothing else. */
export type TokenPurpose = 'sign-up' | 'reset' | 'address' | 'undo' | 'invitation' | 'deletion' | 'export'

export interface TokenRecord {
  /** Made of the purpose and whom it is for: of each, the newest token alone is stored. */
  readonly id: string
  readonly purpose: TokenPurpose
  /** Id of the user; `null` while there is none. */
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
