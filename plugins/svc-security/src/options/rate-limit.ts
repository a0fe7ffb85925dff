/** Section `rateLimit`: how guessing at passwords and codes is slowed down. */

export interface RateLimitOptions {
  /** `false`: there is no throttle at all. Default `true`. */
  readonly enabled?: boolean
  /** Failures in a row that cost nothing, per name; ten times as many per network. Default 3. */
  readonly freeAttempts?: number
  /** Delay after the first failure beyond, in seconds; doubles with each further one. Default 1. */
  readonly baseDelayS?: number
  /** The longest delay, in seconds. Default 900. */
  readonly capDelayS?: number
}

export type RateLimitConfig = Required<RateLimitOptions>

export const rateLimitSchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: {
    enabled: { type: 'boolean', default: true },
    freeAttempts: { type: 'integer', minimum: 0, maximum: 1000, default: 3 },
    baseDelayS: { type: 'integer', minimum: 1, maximum: 3600, default: 1 },
    capDelayS: { type: 'integer', minimum: 1, maximum: 86400, default: 900 }
  }
} as const
