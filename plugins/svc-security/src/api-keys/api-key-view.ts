/** An API key as it is shown: never the key itself, never its hash. */
import type { TokenSummary } from 'svc-stores'

export interface ApiKeyView {
  readonly id: string
  readonly name: string | null
  /** Identifier of the user it acts for. */
  readonly subject: string
  readonly tenantId: string | null
  readonly scopes: readonly string[]
  /** Epoch ms, as all times here. */
  readonly createdAt: number
  /** `null`: never. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly revokedAt: number | null
  readonly revokedReason: string | null
}

export function apiKeyView(record: TokenSummary): ApiKeyView {
  const { id, name, subject, tenantId, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, revokedReason } = record
  return { id, name, subject, tenantId, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, revokedReason }
}
