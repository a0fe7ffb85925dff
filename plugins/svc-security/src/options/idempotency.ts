/** Section `idempotency`: where answers to requests with an `Idempotency-Key` are kept, and how long. */
import { storeOption } from 'svc-stores'

export interface IdempotencyOptions {
  /** Default `auto`. */
  readonly store?: 'auto' | 'memory' | 'sqlorm' | 'docdb'
  /** How long an answer is repeated, in milliseconds. Default 600000. */
  readonly ttlMs?: number
}

export type IdempotencyConfig = Required<IdempotencyOptions>

export const idempotencySchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: {
    store: storeOption,
    ttlMs: { type: 'integer', minimum: 1000, maximum: 604_800_000, default: 600_000 }
  }
} as const
