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
  /** Thumbprint of the key whose proof a refresh token needs (RFC 9449, 5); `null` where it needs none. */
  readonly jkt: string | null
  /** `aud` of the access tokens that a refresh token gives; `null` for that of `jwt.audience`. */
  readonly audience: string | null
  /** Refresh tokens of one login share a family. */
  readonly family: string | null
  /** The successor after a rotation. */
  readonly replacedBy: string | null
  /** When and by what the login behind a refresh token was proven (`stored-proof.ts`); `null` if unknown. */
  readonly proof: string | null
  /** Epoch ms. */
  readonly createdAt: number
  /** Epoch ms; `null` never expires, and is never swept by the expiry rule. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  readonly revokedReason: string | null
}

/** Without `jkt` it is bound to no key, without `audience` to no zone; without `proof` nothing is known of its login. */
export type NewToken = Omit<
  TokenRecord,
  'jkt' | 'audience' | 'createdAt' | 'replacedBy' | 'proof' | 'lastUsedAt' | 'revokedAt' | 'revokedReason'
> &
  Partial<Pick<TokenRecord, 'jkt' | 'audience' | 'proof'>>

/** A stored token as listings show it, without the hash of its secret, its key, its audience and the proof of its login. */
export type TokenSummary = Omit<TokenRecord, 'secretHash' | 'jkt' | 'audience' | 'proof'>
