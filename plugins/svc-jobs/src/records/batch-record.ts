/**
 * A batch as its tables have it: jobs of which it is counted how many are not done, and the job that follows once none is
 * left. A job that is added `after` others follows a batch of those.
 */
import type { TablePlan } from 'svc-stores/table'

/**
 * - `open`: jobs of it have not ended
 * - `stuck`: all have ended, and some are not done: it goes on once those are retried and done
 * - `done`: all are done, and the job that follows was admitted
 */
export type BatchState = 'open' | 'stuck' | 'done'

/** A batch as it is now. */
export interface BatchRecord {
  readonly id: string
  readonly state: BatchState
  /** How many jobs it has. */
  readonly jobs: number
  /** Those that are not done. */
  readonly left: number
  /** Those of `left` that have failed, are parked or cancelled. */
  readonly failed: number
  /** The job that follows; `null`: none. */
  readonly next: string | null
  /** Epoch ms, as `endedAt`. */
  readonly addedAt: number
  /** When it was done or stuck. */
  readonly endedAt: number | null
  /** One more after each change, so that two changes at once never both go by what they read before. */
  readonly revision: number
}

/** A job that a batch counts. One that was done when the batch was added is none. */
export interface MemberRecord {
  readonly batch: string
  readonly job: string
}

export const batchPlan: TablePlan = {
  name: 'svc_job_batch',
  collection: 'job_batch',
  record: 'batch of jobs',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'state', type: 'text' },
    { name: 'jobs', type: 'integer' },
    { name: 'left', type: 'integer' },
    { name: 'failed', type: 'integer' },
    { name: 'next', type: 'text', nullable: true },
    { name: 'addedAt', type: 'time' },
    { name: 'endedAt', type: 'time', nullable: true },
    { name: 'revision', type: 'integer' }
  ],
  indexes: [{ columns: ['endedAt', 'id'], held: 'endedAt', name: 'by_end_and_id' }]
}

export const memberPlan: TablePlan = {
  name: 'svc_job_batch_member',
  collection: 'job_batch_member',
  record: 'job of a batch',
  key: ['job', 'batch'],
  columns: [
    { name: 'job', type: 'text' },
    { name: 'batch', type: 'text' }
  ],
  indexes: [{ columns: ['batch', 'job'], name: 'by_batch' }]
}

/** @returns what the counts of a batch say of it */
export function batchState({ left, failed }: Pick<BatchRecord, 'left' | 'failed'>): BatchState {
  if (left === 0) return 'done'
  return left === failed ? 'stuck' : 'open'
}
