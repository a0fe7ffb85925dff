/** What came of attempts at jobs, for metrics. svc-jobs publishes it only if the channel has subscribers. */
import { typedChannel } from './typed-channel.ts'

/**
 * - `done`
 * - `retried`: it failed, and another attempt follows
 * - `failed`: it failed, and none follows
 * - `parked`: the job cannot run as things are
 * - `released`: it was interrupted, and does not count
 * - `withdrawn`: the job had ended before, and nothing was done
 */
export type JobResult = 'done' | 'retried' | 'failed' | 'parked' | 'released' | 'withdrawn'

/** An attempt that is over. No body and no reason. */
export interface JobAttemptEvent {
  /** `fastify.server`: applications of one process have one each. */
  readonly app: object
  /** Of a definition; `(unknown)` for a job that the application does not define. */
  readonly name: string
  readonly result: JobResult
  readonly durationMs: number
}

export const jobAttempts = typedChannel<JobAttemptEvent>('svc.jobs.attempt')
