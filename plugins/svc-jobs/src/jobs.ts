/** `fastify.jobs`: defines kinds of jobs, adds jobs, and answers for those that were added. */
import { setTimeout as pause } from 'node:timers/promises'
import type { BodyOf, JobCause } from 'svc-kernel'
import { UniqueViolation } from 'svc-stores'
import { checkInteger } from 'svc-stores/plugin'
import { afterCommit, type Transaction } from 'svc-stores/table'
import type { AddedJob, AddOptions } from './adding/added-job.ts'
import type { AddedBatch, BatchOptions } from './adding/batches.ts'
import { JobMaker } from './adding/job-maker.ts'
import { type AddOneOptions, type JobAdder, StoreAdder } from './adding/store-adder.ts'
import type { JobOptions, JobWork } from './definitions/job-definition.ts'
import type { JobRegistry } from './definitions/job-registry.ts'
import { BatchNotFound, JobEnding, JobKeyTaken, JobNotFound, JobState as WrongState } from './errors.ts'
import type { JobEventName, JobEvents, JobListener } from './events/job-events.ts'
import type { Lanes } from './lanes/lanes.ts'
import { type JobCauses, shownCause } from './operations/job-cause.ts'
import type { BatchRecord } from './records/batch-record.ts'
import { JOB_STATES, type JobRecord, type JobState } from './records/job-record.ts'
import type { JobCounts, JobFilter, JobGroup, JobStore } from './records/job-store.ts'
import { type MaskedJob, maskedJob } from './records/masked-job.ts'
import { REDRIVE, type RedriveFilter } from './redrive/redrive.ts'
import type { DrainedAttempt, JobDrain } from './running/job-drain.ts'
import type { OpenedSchedules } from './schedules/open-schedules.ts'
import type { ScheduleOptions } from './schedules/schedule-options.ts'
import type { Schedules } from './schedules/schedules.ts'

export interface JobsParts {
  readonly registry: JobRegistry
  readonly lanes: Lanes
  readonly schedules: Pick<OpenedSchedules, 'registry' | 'schedules' | 'prepareBy'>
  readonly causes: JobCauses
  readonly store: JobStore
  readonly storeWithin: (tx: Transaction) => JobStore
  readonly clock: { now(): number }
  readonly drain: Pick<JobDrain, 'run'>
  readonly events: JobEvents
  /** Jobs have been stored: the worker of this process looks for them. */
  readonly added: () => void
  /** A job was cancelled: aborts it where it runs here. */
  readonly cancelled: (id: string) => void
}

/** Which jobs `list` answers. */
export interface JobListing extends JobFilter {
  /** 1 to 1000; default 50. */
  readonly limit?: number
  /** `next` of the page before. */
  readonly before?: string
}

/** A job as it is now. */
export interface ShownJob extends JobRecord {
  readonly cause: JobCause | null
}

/** A page of jobs. `next`: where the following page begins; `null` on the last one. */
export interface JobPage {
  readonly items: ReadonlyArray<Omit<ShownJob, 'body'>>
  readonly next: string | null
}

/** Of a state: a history of millions is not counted to its end. */
const MOST_COUNTED = 10_000

/** `fastify.jobs`. */
export class Jobs implements JobAdder {
  readonly #parts: JobsParts
  readonly #maker: JobMaker
  readonly #adder: StoreAdder

  constructor(parts: JobsParts) {
    this.#parts = parts
    this.#maker = new JobMaker(parts)
    this.#adder = new StoreAdder(this.#maker, parts.store, parts.added)
    parts.schedules.prepareBy((name, body, as) => this.#maker.record(name, body, as === undefined ? {} : { as }))
  }

  /** The names of all kinds of jobs of the application. */
  get names(): readonly string[] {
    return this.#parts.registry.names
  }

  /** The names of the jobs of maintenance tasks. */
  get systemNames(): readonly string[] {
    return this.#parts.registry.systemNames
  }

  /** Those that a job can be in. */
  get states(): readonly JobState[] {
    return JOB_STATES
  }

  /**
   * Defines a kind of job; called while plugins register.
   *
   * @param work an attempt; it fails if this throws or rejects
   * @throws JobDefined (SVC_JOBS_DEFINED)
   */
  define<Schema = undefined>(name: string, options: JobOptions<Schema>, work: JobWork<BodyOf<Schema>>): void {
    this.#parts.registry.add(name, options as JobOptions, work as JobWork<never>)
  }

  /** `false`: bodies of this kind of job are for its work alone, and go once it is done; also of a kind that is not known. */
  keepsBody(name: string): boolean {
    return this.#parts.registry.find(name)?.keepBody ?? false
  }

  /** Lists, pauses and resumes lanes, over all instances. */
  get lanes(): Lanes {
    return this.#parts.lanes
  }

  /** Lists, pauses and resumes schedules, and runs their jobs now. */
  get schedules(): Schedules {
    return this.#parts.schedules.schedules
  }

  /**
   * Adds a job at each slot of a cron text, once among all instances; called while plugins register. What is wrong with
   * it ends the boot (SVC_JOBS_SCHEDULE), with the problems of all schedules.
   *
   * @param name of the schedule, and of its job where `options.job` names no other
   * @throws BootError (SVC_JOBS_SCHEDULE) after the start
   */
  schedule(name: string, cron: string, options: ScheduleOptions): void {
    this.#parts.schedules.registry.add(name, cron, options)
  }

  add(name: string, body?: unknown, options?: AddOneOptions): Promise<AddedJob> {
    return this.#adder.add(name, body, options)
  }

  addMany(name: string, bodies: readonly unknown[], options?: AddOptions): Promise<readonly AddedJob[]> {
    return this.#adder.addMany(name, bodies, options)
  }

  batch(batch: BatchOptions): Promise<AddedBatch> {
    return this.#adder.batch(batch)
  }

  /**
   * Adds jobs within an open transaction of the database of jobs: they are stored with what else it writes, or
   * not at all.
   *
   * @throws StoreOutsideTransaction (SVC_STORE_TRANSACTION) if jobs are stored elsewhere, TransactionOver
   */
  within(tx: Transaction): JobAdder {
    const { storeWithin, added } = this.#parts
    return new StoreAdder(this.#maker, storeWithin(tx), () => afterCommit(tx, added))
  }

  /** @throws JobNotFound (404) */
  async get(id: string): Promise<ShownJob> {
    const [job] = await this.#parts.store.load([id])
    if (job === undefined) throw new JobNotFound()
    return { ...job, cause: shownCause(job.cause) }
  }

  /** A job as administrators see it: with a masked body, and without its unique key. @throws JobNotFound (404) */
  async masked(id: string): Promise<MaskedJob> {
    const job = await this.get(id)
    return maskedJob(job, this.keepsBody(job.name))
  }

  /** A batch as it is now. @throws BatchNotFound (404) */
  async getBatch(id: string): Promise<BatchRecord> {
    const [batch] = await this.#parts.store.batches.load([id])
    if (batch === undefined) throw new BatchNotFound()
    return batch
  }

  /**
   * Adds a job that makes jobs wait again which have failed or are parked. Its progress says how many.
   *
   * @throws InvalidJobBody (400), JobsUnavailable (503)
   */
  redrive(filter: RedriveFilter): Promise<AddedJob> {
    return this.add(REDRIVE, filter)
  }

  /**
   * Calls a listener with what happens to jobs: `done`, `failed` and `parked` where their last attempt ran in this process,
   * `stuck` for a batch whose last job ended here. One that fails is logged.
   *
   * @returns ends it
   */
  on<Name extends JobEventName>(event: Name, listener: JobListener<Name>): () => void {
    return this.#parts.events.on(event, listener)
  }

  /** The newest first, without their bodies; `next` continues where this page ends. @throws InvalidPage (400) */
  async list({ limit = 50, before, ...filter }: JobListing = {}): Promise<JobPage> {
    checkInteger('limit', limit, 1, 1000)
    const found = await this.#parts.store.list(filter, limit + 1, before)
    const items = found.slice(0, limit).map((job) => ({ ...job, cause: shownCause(job.cause) }))
    return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null }
  }

  /** How many jobs of a name, or of all of the application, are in each state, up to 10,000 of each; and since when the first that is due waits. */
  counts(filter: JobGroup = {}): Promise<JobCounts> {
    return this.#parts.store.counts(filter, MOST_COUNTED)
  }

  /** Cancels a job that has not ended, and aborts its attempt. @throws JobNotFound (404), JobState (409) */
  async cancel(id: string): Promise<void> {
    const job = await this.#parts.store.cancel(id)
    if (job === null) throw new JobNotFound()
    if (job.state !== 'cancelled') throw new WrongState(job.state)
    this.#parts.cancelled(id)
    if (job.followed !== null) this.#parts.events.stuck(await this.#parts.store.batches.of(id))
  }

  /**
   * Runs a job again that has failed, is parked or cancelled.
   *
   * @throws JobNotFound (404), JobState (409), JobEnding (409) while its last attempt goes on, JobKeyTaken (409) while
   * another job has its unique key
   */
  async retry(id: string): Promise<void> {
    const job = await this.#retried(id)
    if (job === null) throw new WrongState((await this.get(id)).state)
    this.#parts.added()
  }

  /**
   * Makes the slots of schedules and the attempts that are due, here and one after the other, until none is left; for
   * tests, and for processes that a timer of the platform starts. Jobs that other workers hold are theirs.
   *
   * @param limit attempts after which it ends although more is due; 1 or more, default 1000
   * @throws JobsUnavailable (503)
   */
  drain({ limit = 1000 }: { readonly limit?: number } = {}): Promise<readonly DrainedAttempt[]> {
    return this.#parts.drain.run(limit)
  }

  /** The end of an attempt is written in two steps: between them, this waits. */
  async #retried(id: string, tries = END_TRIES): Promise<JobRecord | null> {
    try {
      return await this.#parts.store.retry(id)
    } catch (error) {
      if (error instanceof UniqueViolation) throw new JobKeyTaken()
      if (!(error instanceof JobEnding) || tries <= 1) throw error
    }
    await pause(END_TRY_MS)
    return this.#retried(id, tries - 1)
  }
}

/** How long a retry waits for the end of the last attempt, in tries. */
const END_TRIES = 20
const END_TRY_MS = 10
