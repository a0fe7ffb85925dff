/** The options of svc-jobs. Live objects are passed under `parts`. */
import type { Clock, ConfigOf, OptionsOf } from 'svc-kernel'
import { storeOption } from 'svc-stores/options'
import type { JobStore } from './records/table-jobs.ts'
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
    /** How long jobs that have ended are kept, in seconds. */
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
}
