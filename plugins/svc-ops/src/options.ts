/** What an operator may set. Live objects come under `parts`, see `SvcOpsParts`. */
import type { Clock, OptionsSchema } from 'svc-kernel'

export interface SvcOpsOptions {
  readonly health?: {
    /** `false` leaves the health routes out. Default `true`. */
    readonly enabled?: boolean
    /** How long one check may take, in milliseconds. Default 1000. */
    readonly timeoutMs?: number
    /** How long an outcome is reused without new checks, in milliseconds. Default 500. */
    readonly cacheMs?: number
  }
  readonly metrics?: {
    /** `false` leaves the route and every counter out. Default `true`. */
    readonly enabled?: boolean
    /** What a caller needs. Default `ROLE_SVC_ADMIN`. */
    readonly requirement?: string
    /** Lets scrapers of the same machine in without it. Default `false`. */
    readonly openToLoopback?: boolean
    /** Memory, processor and event loop of the process. Default `true`. */
    readonly process?: boolean
    /** Durations of requests by route. Default `true`. */
    readonly http?: boolean
    /** Deliveries of svc-webhooks. Default `true`. */
    readonly webhooks?: boolean
  }
}

export interface HealthConfig {
  readonly enabled: boolean
  readonly timeoutMs: number
  readonly cacheMs: number
}

export interface MetricsConfig {
  readonly enabled: boolean
  readonly requirement: string
  readonly openToLoopback: boolean
  readonly process: boolean
  readonly http: boolean
  readonly webhooks: boolean
}

/** Options after the reader: completed with defaults and frozen. */
export interface OpsConfig {
  readonly health: HealthConfig
  readonly metrics: MetricsConfig
}

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcOpsParts {
  readonly clock?: Clock
}

const on = { type: 'boolean', default: true } as const

export const optionsSchema: OptionsSchema = {
  $id: 'svc-ops/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    health: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        enabled: on,
        timeoutMs: { type: 'integer', minimum: 1, maximum: 60_000, default: 1000 },
        cacheMs: { type: 'integer', minimum: 0, maximum: 60_000, default: 500 }
      }
    },
    metrics: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        enabled: on,
        requirement: { type: 'string', minLength: 1, default: 'ROLE_SVC_ADMIN' },
        openToLoopback: { type: 'boolean', default: false },
        process: on,
        http: on,
        webhooks: on
      }
    }
  }
}
