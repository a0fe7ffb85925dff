/** What is stored of a token: API keys, refresh tokens and recorded access tokens alike. Never its secret. */

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

/** A stored token as listings show it, without the hash of its secret. */
export type TokenSummary = Omit<TokenRecord, 'secretHash'>
