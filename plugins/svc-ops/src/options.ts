/** What an operator may set. Live objects come under `parts`, see `SvcOpsParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'

const on = { type: 'boolean', default: true } as const

export const optionsSchema = {
  $id: 'svc-ops/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    health: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        /** `false` leaves the health routes out. */
        enabled: on,
        /** How long one check may take, in milliseconds. */
        timeoutMs: { type: 'integer', minimum: 1, maximum: 60_000, default: 1000 },
        /** How long an outcome is answered again without asking, in milliseconds. */
        cacheMs: { type: 'integer', minimum: 0, maximum: 60_000, default: 500 }
      }
    },
    system: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        /** `false` leaves out what administrators see of rates and state, and the level of the log at run time. */
        enabled: on
      }
    },
    requests: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        /** Records requests for administrators, see `GET /svc/ops/api/requests`. Default: not in production. */
        enabled: { type: 'boolean' },
        /**
         * How many are kept, the newest; at most 16 MiB of them. Those that svc's own routes answer, as to its console,
         * are kept beside them, a quarter as many.
         */
        capacity: { type: 'integer', minimum: 1, maximum: 100_000, default: 500 },
        /** The part of all requests that is recorded, 0 to 1. */
        sample: { type: 'number', minimum: 0, maximum: 1, default: 1 }
      }
    },
    metrics: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        /** `false` leaves the metrics route and every counter out. */
        enabled: on,
        /** What a caller of the metrics needs. */
        requirement: { type: 'string', minLength: 1, default: 'ROLE_SVC_ADMIN' },
        /** Lets scrapers of the same machine in without it. */
        openToLoopback: { type: 'boolean', default: false },
        /** Memory, processor and event loop of the process. */
        process: on,
        /** Durations of requests by route. */
        http: on,
        /** Deliveries of svc-webhooks. */
        webhooks: on
      }
    }
  }
} as const

export type SvcOpsOptions = OptionsOf<typeof optionsSchema>

/** Options after the reader: completed with defaults and frozen. */
export type OpsConfig = ConfigOf<typeof optionsSchema>

export type HealthConfig = OpsConfig['health']
export type RequestsConfig = OpsConfig['requests']
export type MetricsConfig = OpsConfig['metrics']

/** Live objects an application may supply. Never validated as data, never cloned. */
export interface SvcOpsParts {
  readonly clock?: Clock
}
