/** Passkeys (WebAuthn credentials). A credential never changes hands, its counter never goes back, a listing never shows the key. */
import type { Page, PageQuery } from '../paging/page.ts'

export interface PasskeyRecord {
  /** The credential id, base64url. */
  readonly id: string
  readonly userId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  /** Signature counter; 0 where the authenticator keeps none. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly backupEligible: boolean
  readonly backupState: boolean
  readonly nickname: string | null
  /** Epoch ms. */
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export type NewPasskey = Omit<PasskeyRecord, 'createdAt' | 'lastUsedAt'>

export type PasskeySummary = Omit<PasskeyRecord, 'publicKey'>

export interface PasskeyFilter {
  readonly userId?: string
  /** Case-insensitive beginning of the nickname; every character stands for itself. */
  readonly q?: string
}

export type PasskeySortField = 'createdAt' | 'userId' | 'id'

export interface PasskeysStore {
  /**
   * Atomic upsert: creates the credential, or replaces what its owner registered before; the creation
   * and last-use times stay, the counter becomes the higher of the two.
   * @throws DuplicateRecord when the credential is another user's
   */
  save(passkey: NewPasskey): Promise<PasskeyRecord>
  find(id: string): Promise<PasskeyRecord | null>
  /**
   * Compare-and-set after a login: the counter must be higher than the stored one, or both 0.
   * Writes the last-use time. `false` when absent or not higher: a cloned authenticator, or a replay.
   */
  advance(id: string, counter: number, backupState: boolean): Promise<boolean>
  /** `false` when absent or another user's. */
  rename(id: string, userId: string, nickname: string | null): Promise<boolean>
  /** `false` when absent or another user's. */
  remove(id: string, userId: string): Promise<boolean>
  /** @returns how many */
  removeByUser(userId: string): Promise<number>
  /** Newest first. Without public keys. */
  list(filter: PasskeyFilter, page: PageQuery<PasskeySortField>): Promise<Page<PasskeySummary>>
  count(filter: PasskeyFilter): Promise<number>
}
