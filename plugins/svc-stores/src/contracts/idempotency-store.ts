/**
 * Answers kept for `Idempotency-Key`s. One caller owns a key at a time; an owner
 * whose time ran out can no longer write. A secret in an answer is the caller's to encrypt.
 */

export interface IdempotentAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface IdempotencyRecord {
  /** Hash of identity and key. */
  readonly id: string
  /** Hash of route, parameters and body. */
  readonly fingerprint: string
  /** Who may complete it. */
  readonly owner: string
  /** `null` while the request is in flight. */
  readonly answer: IdempotentAnswer | null
  /** Epoch ms. */
  readonly createdAt: number
  readonly expiresAt: number
}

export type IdempotencyOpening =
  | { readonly state: 'started'; readonly owner: string }
  /** The same request is being served. */
  | { readonly state: 'in-flight' }
  /** The key was used for another request; also while that one is in flight. */
  | { readonly state: 'mismatch' }
  | { readonly state: 'completed'; readonly answer: IdempotentAnswer }

export interface IdempotencyStore {
  /** Atomic: of concurrent calls with one id exactly one is `started`. An expired record counts as absent. */
  begin(id: string, fingerprint: string, ttlMs: number): Promise<IdempotencyOpening>
  /** Keeps the answer until the key expires. `false` when the owner has lost the key. */
  complete(id: string, owner: string, answer: IdempotentAnswer): Promise<boolean>
  /** Frees the key of a request that failed. `false` when the owner has lost the key, or completed it. */
  abandon(id: string, owner: string): Promise<boolean>
  /** Removes expired records. @returns how many */
  purge(): Promise<number>
}
