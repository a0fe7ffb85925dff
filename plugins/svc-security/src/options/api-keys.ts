/** Section `apiKeys`: credentials of machines. */

export interface ApiKeysOptions {
  /** What every key begins with, before `_`: 1 to 12 of `[a-z0-9]`. Default `svc`. */
  readonly prefix?: string
  /** Days; `null`: a key does not expire unless its maker says so. Default 90. */
  readonly defaultExpiryDays?: number | null
  /** Keys of one user that are alive at a time. Default 100. */
  readonly maxPerSubject?: number
  /** The last use of a key is noted at most once in so many seconds. Default 60. */
  readonly lastUsedThrottleS?: number
}

export type ApiKeysConfig = Required<ApiKeysOptions>

export const MAX_EXPIRY_DAYS = 3650

export const apiKeysSchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: {
    prefix: { type: 'string', pattern: '^[a-z0-9]{1,12}$', default: 'svc' },
    defaultExpiryDays: { type: ['integer', 'null'], minimum: 1, maximum: MAX_EXPIRY_DAYS, default: 90 },
    maxPerSubject: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    lastUsedThrottleS: { type: 'integer', minimum: 0, maximum: 86400, default: 60 }
  }
} as const
