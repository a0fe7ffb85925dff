/** A job as the worker holds it: its record is read when its turn comes. */
import type { Job } from 'svc-queue'

export interface QueuedJob extends Job {
  readonly id: string
}

export function queuedJob(id: string, lane: string, attempts: number): QueuedJob {
  return { id, lane, manual: false, source: null, attempts, begunAt: null }
}
