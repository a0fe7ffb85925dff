/** Section `tokenStore`: where refresh tokens, API keys and revocations are kept. */
import { storeOption } from 'svc-stores'

export interface TokenStoreOptions {
  /** Default `auto`. */
  readonly store?: 'auto' | 'memory' | 'sqlorm' | 'docdb'
  /** How long what was revoked is kept, in milliseconds; 0 keeps it until it expires. Default 2592000000, 30 days. */
  readonly retentionRevokedMs?: number
  /** How often what is over is removed, in seconds. Default 600. */
  readonly gcIntervalS?: number
}

export type TokenStoreConfig = Required<TokenStoreOptions>

export const tokenStoreSchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: {
    store: storeOption,
    retentionRevokedMs: { type: 'integer', minimum: 0, maximum: 315360000000, default: 2592000000 },
    gcIntervalS: { type: 'integer', minimum: 1, maximum: 86400, default: 600 }
  }
} as const
