/** The options of svc-ops. Live objects are passed under `parts`, see `SvcOpsParts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import type { InstancesStore } from './instances/instances-store.ts'

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
        /** `false` removes the health routes. */
        enabled: on,
        /** Longest time of one check, in milliseconds. */
        timeoutMs: { type: 'integer', minimum: 1, maximum: 60_000, default: 1000 },
        /** How long the result of a check is cached, in milliseconds. */
        cacheMs: { type: 'integer', minimum: 0, maximum: 60_000, default: 500 }
      }
    },
    system: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        /** `false` removes the admin routes for rates, state and the log level. */
        enabled: on
      }
    },
    instances: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        /** `false` writes no heartbeat, and removes the route that lists the instances of the application. */
        enabled: on,
        /** Name of this instance for people. Default: the name of the host. */
        name: { type: 'string', minLength: 1, maxLength: 200 },
        /** Where instances find each other. */
        store: { enum: ['auto', 'memory', 'sqlorm', 'docdb'], default: 'auto' }
      }
    },
    requests: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        /** Records requests for administrators, see `GET /svc/ops/api/requests`. Without it, on outside production. */
        enabled: { type: 'boolean' },
        /**
         * How many requests svc-ops keeps, the newest ones, at most 16 MiB. Requests to svc's own routes, such as the
         * console, are stored separately, a quarter as many.
         */
        capacity: { type: 'integer', minimum: 1, maximum: 100_000, default: 500 },
        /** Share of requests to record, 0 to 1. */
        sample: { type: 'number', minimum: 0, maximum: 1, default: 1 }
      }
    },
    metrics: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        /** `false` removes the metrics route and all counters. */
        enabled: on,
        /** Role or other attribute that a caller of the metrics needs. */
        requirement: { type: 'string', minLength: 1, default: 'ROLE_SVC_ADMIN' },
        /** Lets scrapers on the same machine in without it. */
        openToLoopback: { type: 'boolean', default: false },
        /** Includes readiness, each health check, and what waits in queues. */
        state: on,
        /** Includes memory, CPU and event loop of the process. */
        process: on,
        /** Includes request durations by route. */
        http: on,
        /** Includes deliveries of svc-webhooks. */
        webhooks: on,
        /** Includes attempts at jobs of svc-jobs, and what waits in their queue. */
        jobs: on
      }
    }
  }
} as const

/**
 * Options of svc-ops as an application passes them: defaults and bounds are in `docs/reference/options.md`. An
 * unknown key ends the boot.
 */
export type SvcOpsOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type OpsConfig = ConfigOf<typeof optionsSchema>

export type HealthConfig = OpsConfig['health']
export type InstancesConfig = OpsConfig['instances']
export type RequestsConfig = OpsConfig['requests']
export type MetricsConfig = OpsConfig['metrics']

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcOpsParts {
  readonly clock?: Clock
  /** Ready stores by brick; they win over the database. */
  readonly stores?: { readonly instances?: InstancesStore }
}
