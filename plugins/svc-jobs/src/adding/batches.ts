/** Adds batches, and single jobs that follow others: all of it in one transaction. */
import { BatchTooLarge } from '../errors.ts'
import type { BatchState } from '../records/batch-record.ts'
import type { JobRecord } from '../records/job-record.ts'
import type { JobStore, NewRecord } from '../records/job-store.ts'
import { type AddedJob, type AddOptions, addedJob } from './added-job.ts'
import type { JobMaker } from './job-maker.ts'

/** A job of a batch. Its delay counts from when the batch is added. */
export interface BatchJob extends AddOptions {
  readonly name: string
  /** Default `{}`. */
  readonly body?: unknown
}

/** Jobs that are added together, and the one that follows them. */
export interface BatchOptions {
  /** At most 10,000. One whose unique key another job has is that job. */
  readonly jobs: readonly BatchJob[]
  /** The job that runs once all others are done. Default: none. */
  readonly next?: BatchJob
}

/** A batch that is stored. */
export interface AddedBatch {
  readonly id: string
  /** `done`: it had no jobs, or all of them were done before. */
  readonly state: BatchState
  /** In the order in which they were given. */
  readonly jobs: readonly AddedJob[]
  /** `null`: no job follows. */
  readonly next: AddedJob | null
}

const MOST_JOBS = 10_000

/** @throws BatchTooLarge, JobKeyTaken, and as `record` of the maker */
export async function addBatch(
  store: Pick<JobStore, 'addBatch'>,
  { jobs, next }: BatchOptions,
  maker: JobMaker
): Promise<AddedBatch> {
  if (jobs.length > MOST_JOBS) throw new BatchTooLarge(String(jobs.length), String(MOST_JOBS))
  const records = await Promise.all(jobs.map((job) => recordOf(job, maker)))
  const follower = next === undefined ? null : await recordOf(next, maker)
  const stored = await store.addBatch({ id: maker.id(), jobs: records, after: [], next: follower })
  const { id, state } = stored.batch
  const members = stored.jobs.map((job, place) => addedJob(job, records[place]))
  return { id, state, jobs: members, next: stored.next && addedJob(stored.next, follower) }
}

/** @throws UnknownJobBefore, JobKeyTaken, and as `record` of the maker */
export async function addFollower(
  store: Pick<JobStore, 'addBatch'>,
  after: readonly string[],
  job: BatchJob,
  maker: JobMaker
): Promise<AddedJob> {
  if (after.length > MOST_JOBS) throw new BatchTooLarge(String(after.length), String(MOST_JOBS))
  const next = await recordOf(job, maker)
  const stored = await store.addBatch({ id: maker.id(), jobs: [], after, next })
  return addedJob(stored.next as JobRecord, next)
}

function recordOf({ name, body = {}, ...options }: BatchJob, maker: JobMaker): Promise<NewRecord> {
  return maker.record(name, body, options)
}
