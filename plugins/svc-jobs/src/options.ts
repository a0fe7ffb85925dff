/** The options of svc-jobs. Live objects are passed under `parts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import type { Queue } from 'svc-queue'
import { storeOption } from 'svc-stores/options'
import type { JobStore } from './records/job-store.ts'
import type { ScheduleStore } from './schedules/table-schedules.ts'

const count = (minimum: number, fallback: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, default: fallback }) as const

export const optionsSchema = {
  $id: 'svc-jobs/options',
  type: 'object',
  additionalProperties: false,
  properties: {
    /** Where jobs are stored. */
    store: storeOption,
    /** `false`: this instance adds jobs and runs none. */
    run: { type: 'boolean', default: true },
    /** Jobs that run at once in this instance. */
    maxConcurrent: count(1, 8, 1000),
    /** Attempts after the first that failed, of a job that does not say. */
    retries: count(0, 10, 100),
    /** How long an attempt may take, in seconds, of a job that does not say. */
    timeoutS: count(1, 300, 86_400),
    /** By name, or by its beginning: `tenant:*` is each lane that begins so. */
    lanes: {
      type: 'object',
      // A star stands at the end only.
      propertyNames: { type: 'string', pattern: '^[^*]*\\*?$', minLength: 1, maxLength: 200 },
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: {
          /** Jobs of the lane that run at once, in all instances together. */
          concurrent: { type: 'integer', minimum: 1, maximum: 10_000 },
          /** How many jobs of the lane may begin, in all instances together. */
          rate: {
            type: 'object',
            additionalProperties: false,
            required: ['max', 'perS'],
            properties: {
              /** Jobs in `perS` seconds. */
              max: { type: 'integer', minimum: 1, maximum: 1_000_000 },
              /** The time of `max`, in seconds. */
              perS: { type: 'integer', minimum: 1, maximum: 86_400 },
              /** Jobs that may begin at once after a quiet time. Default: `max`. */
              burst: { type: 'integer', minimum: 1, maximum: 1_000_000 }
            }
          }
        }
      },
      default: {}
    },
    /** When a job has been due for longer than this, in seconds, health says `degraded`. */
    lateAfterS: count(1, 900, 604_800),
    /** How long jobs stay in the database after their end, in seconds. */
    keepS: count(60, 604_800, 315_360_000)
  }
} as const

/** Options of svc-jobs as an application passes them: defaults and bounds are in `docs/reference/options.md`. */
export type SvcJobsOptions = OptionsOf<typeof optionsSchema>

/** The checked options, with defaults, frozen. */
export type JobsConfig = ConfigOf<typeof optionsSchema>

/** Live objects that you may pass. They are neither validated as data nor cloned. */
export interface SvcJobsParts {
  readonly clock?: Clock
  /** Ready stores; they take precedence over `store`. Schedules need the database of their jobs. */
  readonly stores?: { readonly jobs?: JobStore; readonly schedules?: ScheduleStore }
  /** Where jobs wait for workers, such as BullMQ; their records stay in `store`. Default: in the database of their records. */
  readonly queue?: Queue
}
