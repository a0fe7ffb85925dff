/** A job as the worker holds it: its record is read with those of others that were claimed with it. */
import type { Job } from 'svc-queue'
import type { JobRecord } from '../records/job-record.ts'

export interface QueuedJob extends Job {
  /** In the queue. */
  readonly id: string
  readonly jobId: string
  /** A worker may have ended during an attempt at it. */
  readonly mayHaveBegun: boolean
  /** `undefined` without a record. */
  readonly record: Promise<JobRecord | undefined>
}
