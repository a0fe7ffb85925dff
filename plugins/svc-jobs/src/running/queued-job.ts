/** A job as the worker holds it: its record is read with those of others that were claimed with it. */
import type { Job } from 'svc-queue'
import type { HeldJob } from 'svc-queue/driver'
import type { JobRecord } from '../records/job-record.ts'
import type { Gathered } from './gathered.ts'
import { jobIdOf } from './job-queue.ts'

/** `undefined` without a record. */
export type JobRecords = Pick<Gathered<string, JobRecord | undefined>, 'get'>

export class QueuedJob implements Job {
  /** In the queue. */
  readonly id: string
  readonly jobId: string
  readonly lane: string
  readonly manual = false
  readonly source = null
  attempts: number
  begunAt: number | null = null
  traceparent: string | null = null
  turn: number | undefined = undefined
  /** A worker may have ended during an attempt at it. */
  readonly mayHaveBegun: boolean
  readonly #records: JobRecords
  #record: Promise<JobRecord | undefined> | null = null

  constructor({ id, lane, attempts, lapses }: HeldJob, records: JobRecords) {
    this.id = id
    this.jobId = jobIdOf(id)
    this.lane = lane
    this.attempts = attempts
    this.mayHaveBegun = lapses !== 0
    this.#records = records
    // Where the begin says whether it has ended, all that were claimed together are read together; the attempt says what fails.
    if (this.mayHaveBegun) this.record.catch(() => undefined)
  }

  /** Otherwise read as its attempt begins, since it may have been cancelled after the claim. */
  get record(): Promise<JobRecord | undefined> {
    this.#record ??= this.#records.get(this.jobId)
    return this.#record
  }
}
