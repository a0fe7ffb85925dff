/** What is asked of a store of jobs, on whichever database. */
import type { Priority } from 'svc-kernel'
import type { Queue } from 'svc-queue'
import type { BatchRecord } from './batch-record.ts'
import type { JobProgress, JobRecord, JobState } from './job-record.ts'
import type { BatchStore } from './table-batches.ts'
import type { StepStore } from './table-steps.ts'

/** A job to be added. */
export interface NewRecord
  extends Pick<JobRecord, 'id' | 'name' | 'lane' | 'body' | 'uniqueKey' | 'traceparent' | 'cause'> {
  readonly delayMs: number
  /** Default `normal`. */
  readonly priority?: Priority
  /** Default `false`. */
  readonly system?: boolean
  /** How long after it was added a job that is done keeps its unique key. Default 0. */
  readonly uniqueForMs?: number
}

/** A batch to be added. */
export interface NewBatch {
  readonly id: string
  readonly jobs: readonly NewRecord[]
  /** Ids of jobs that are there. */
  readonly after: readonly string[]
  readonly next: NewRecord | null
}

/** A batch that is stored, with its new jobs, or those that have their unique keys, and the job that follows. */
export interface StoredBatch {
  readonly batch: BatchRecord
  readonly jobs: readonly JobRecord[]
  readonly next: JobRecord | null
}

/** Which jobs a list has. */
export interface JobFilter {
  /** One, or several. */
  readonly state?: JobState | readonly JobState[]
  /** A kind of job, of the application or of the system. */
  readonly name?: string
  /** Without `name`: `true` for the jobs of maintenance tasks in place of those of the application. Default `false`. */
  readonly system?: boolean
  /** Epoch ms, as `endedBefore`. */
  readonly endedAfter?: number
  readonly endedBefore?: number
  /** A part of the reason, in any case. */
  readonly reason?: string
}

/** Which jobs are counted. */
export type JobGroup = Pick<JobFilter, 'name' | 'system'>

/** How many jobs there are. */
export interface JobCounts {
  /** As many as `most` stands for that many or more. */
  readonly states: Readonly<Record<JobState, number>>
  readonly most: number
  /** When the job was due that was added first of those that are due and wait, epoch ms; `null` without one. */
  readonly waitingSince: number | null
}

/** A job as lists have it. */
export type ListedJob = Omit<JobRecord, 'body'>

/** What becomes of jobs whose attempt is over. */
export interface Ending {
  readonly state: Extract<JobState, 'done' | 'failed' | 'parked'>
  readonly attempts: number
  readonly reason: string | null
  /** Takes the place of the body that was stored. */
  readonly body?: Readonly<Record<string, never>>
  /** Epoch ms: their records do not say when their attempt began. */
  readonly startedAt?: number
  /** Their unique keys stay theirs until the time of each. */
  readonly keepsKey?: true
}

/** What becomes of a job whose attempt failed, where another one follows. */
export interface Failure extends Pick<JobRecord, 'attempts' | 'reason' | 'dueAt'> {
  /** Epoch ms: its record does not say when its attempt began. */
  readonly startedAt?: number
}

/** What the end of jobs changed. */
export interface Ends {
  /** Those that are done or stuck by it. */
  readonly batches: readonly BatchRecord[]
  /** Ids of jobs that had ended otherwise, or are gone. */
  readonly missed: readonly string[]
}

/** Where jobs are stored. Rejects with an error of status 503 while the database cannot be reached. */
export interface JobStore {
  /** Holds a row for each job that has not ended. */
  readonly queue: Queue
  readonly batches: BatchStore
  readonly steps: StepStore
  /** All or none. @returns the jobs that are there now: the new ones, or those that have their unique key */
  add(jobs: readonly NewRecord[]): Promise<readonly JobRecord[]>
  /**
   * All or none, in one transaction.
   *
   * @throws UnknownJobBefore, JobKeyTaken if another job has the unique key of the one that follows
   */
  addBatch(batch: NewBatch): Promise<StoredBatch>
  load(ids: readonly string[]): Promise<readonly JobRecord[]>
  /** The newest first, without their bodies. @param before id of the last job that was shown */
  list(filter: JobFilter, limit: number, before?: string): Promise<readonly ListedJob[]>
  /** @param most so many of each state are counted, so that a long history costs no more */
  counts(filter: JobGroup, most: number): Promise<JobCounts>
  /** Attempts begin. @returns the jobs that have ended before, or are gone: their attempts do not begin */
  begin(ids: readonly string[]): Promise<readonly string[]>
  /** Jobs that were cancelled meanwhile stay so. */
  end(ids: readonly string[], ending: Ending): Promise<Ends>
  /** Of an attempt that runs. */
  progress(id: string, progress: JobProgress): Promise<void>
  /** The attempt failed, and another one follows. */
  fail(id: string, failure: Failure): Promise<void>
  /** The attempts were interrupted, and do not count. */
  release(ids: readonly string[]): Promise<void>
  /** The process of an attempt has ended before it. @returns how often by now */
  interrupted(id: string): Promise<number>
  /** @returns the job as it is now, `null` without one; it is cancelled unless it has ended before */
  cancel(id: string): Promise<JobRecord | null>
  /**
   * Makes a job that has failed, was parked or cancelled wait again, due at once.
   *
   * @returns the job; `null` without one that has ended so
   * @throws UniqueViolation while another job has its unique key, JobEnding while a worker holds it
   */
  retry(id: string): Promise<JobRecord | null>
  /**
   * Removes jobs that have ended before, with their steps; not those of a batch that is not over. Once the signal is aborted,
   * it ends after the jobs that it is removing. @returns how many
   */
  purge(before: number, signal?: AbortSignal): Promise<number>
}
