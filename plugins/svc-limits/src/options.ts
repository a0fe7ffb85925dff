/** The options of svc-limits. Live objects are passed under `parts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'
import type { LimitsStore } from './storage/limits-store.ts'
import type { RedisClient } from './storage/redis-limits-store.ts'

export const optionsSchema = {
  $id: 'svc-limits/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Where budgets are stored. */
    store: storeOption,
    /**
     * While the store does not answer: `local` counts in this process, `refuse` answers 503. A limit may say otherwise.
     */
    onOutage: { enum: ['local', 'refuse'], default: 'local' },
    /** WebSockets that are open at once, counted by each instance. */
    sockets: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        /** Of one network, an IPv4 address or the /64 of an IPv6 one. 0: any number. */
        perAddress: { type: 'integer', minimum: 0, default: 500 }
      }
    },
    /** Limits by name, for `fastify.limits.take` and for routes that share them. */
    limits: {
      type: 'object',
      default: {},
      propertyNames: { pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]{0,98}[\\x21-\\x7e])?$' },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['rate'],
        properties: {
          /** Requests in a period, such as `100/min`. */
          rate: { type: 'string', minLength: 3 },
          /** How many may come at once. Default: the count of the rate. */
          burst: { type: 'integer', minimum: 1 },
          /** While the store does not answer. Default: that of all limits. */
          onOutage: { enum: ['local', 'refuse'] }
        }
      }
    }
  }
} as const

/**
 * Options of svc-limits as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcLimitsOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type LimitsConfig = ConfigOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcLimitsParts {
  readonly clock?: Clock
  /** A client of ioredis, or one with its `eval`: budgets are then kept in Redis. It takes precedence over `store`. */
  readonly redis?: RedisClient
  /** A ready store; it takes precedence over `store` and `redis`. */
  readonly stores?: { readonly limits?: LimitsStore }
}
