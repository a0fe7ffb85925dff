/**
 * API keys, refresh tokens and recorded access tokens, the denylist of `jti`s and
 * the threshold of each subject. A secret is stored as its hash alone. A
 * revocation keeps its first date and reason; a threshold only moves forward.
 */
import type { Page, PageQuery } from '../paging/page.ts'

export type TokenKind = 'apikey' | 'refresh' | 'access'

export interface TokenRecord {
  /** The `jti`. */
  readonly id: string
  readonly kind: TokenKind
  readonly name: string | null
  /** User identifier. */
  readonly subject: string
  readonly tenantId: string | null
  readonly scopes: readonly string[]
  /** SHA-256 of the secret; unique; `null` for a token that proves itself. */
  readonly secretHash: string | null
  /** Refresh tokens of one login share a family. */
  readonly family: string | null
  /** The successor after a rotation. */
  readonly replacedBy: string | null
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms; `null` never expires, and is never swept by the expiry rule. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  readonly revokedReason: string | null
}

export type NewToken = Omit<TokenRecord, 'createdAt' | 'replacedBy' | 'lastUsedAt' | 'revokedAt' | 'revokedReason'>

export type TokenSummary = Omit<TokenRecord, 'secretHash'>

export interface TokenFilter {
  readonly subject?: string
  readonly kind?: TokenKind
  readonly tenantId?: string
  /** Neither revoked nor expired. */
  readonly active?: boolean
  /** Case-insensitive substring of the name; every character stands for itself. */
  readonly q?: string
}

export type TokenSortField = 'createdAt' | 'subject' | 'kind' | 'id'

export interface TokensStore {
  /** @throws DuplicateRecord when the id or the secret hash exists */
  create(token: NewToken): Promise<TokenRecord>
  find(id: string): Promise<TokenRecord | null>
  findByHash(secretHash: string): Promise<TokenRecord | null>
  /**
   * Compare-and-set: replaces an active token by its successor, with reason `rotated`.
   * The successor is stored before the claim and removed when the claim is lost, so that a family
   * revoked meanwhile takes it along: once a family is revoked, no token of it is active.
   * @returns `false` when the token is absent, revoked, expired or replaced already: a reuse
   * @throws DuplicateRecord when the successor's id or hash exists
   */
  rotate(id: string, successor: NewToken): Promise<boolean>
  /** `true` when this call revoked it; `false` when absent or revoked already. */
  revoke(id: string, reason: string): Promise<boolean>
  /** @returns how many this call revoked */
  revokeFamily(family: string, reason: string): Promise<number>
  /** @returns how many this call revoked */
  revokeBySubject(subject: string, reason: string, kind?: TokenKind): Promise<number>
  /** Writes `lastUsedAt`, at most once in `throttleMs`. `true` when this call wrote it. */
  markUsed(id: string, throttleMs: number): Promise<boolean>
  /** Newest first. Without hashes. */
  list(filter: TokenFilter, page: PageQuery<TokenSortField>): Promise<Page<TokenSummary>>
  count(filter: TokenFilter): Promise<number>
  /** Denies a `jti` until its token expires. A later expiry wins. */
  deny(jti: string, expiresAt: number): Promise<void>
  isDenied(jti: string): Promise<boolean>
  /** Refuses what was issued to the subject before `at` (epoch ms). Never moves back. @returns the threshold in force */
  invalidateBefore(subject: string, at: number): Promise<number>
  /** Epoch ms, or `null` where nothing was invalidated. */
  invalidBefore(subject: string): Promise<number | null>
  /**
   * Removes expired records and denials, and records revoked longer ago than the retention
   * (0: the retention rule is off). Thresholds stay. @returns how many
   */
  purge(retentionRevokedMs: number): Promise<number>
}
