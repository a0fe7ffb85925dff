/** `fastify.jobs`: defines kinds of jobs, adds jobs, and answers for those that were added. */
import { currentTraceparent } from 'svc-kernel/plugin'
import { UniqueViolation } from 'svc-stores'
import { checkInteger } from 'svc-stores/plugin'
import { afterCommit, type Transaction, UuidIds } from 'svc-stores/table'
import type { BodyOf, JobDefinition, JobOptions, JobWork } from './definitions/job-definition.ts'
import type { JobRegistry } from './definitions/job-registry.ts'
import { InvalidJobBody, JobKeyTaken, JobNotFound, JobState as WrongState } from './errors.ts'
import { currentCause } from './operations/job-cause.ts'
import type { JobRecord, JobState } from './records/job-record.ts'
import type { JobFilter, JobStore, ListedJob, NewRecord } from './records/table-jobs.ts'
import type { OpenedSchedules } from './schedules/open-schedules.ts'
import type { ScheduleOptions } from './schedules/schedule-options.ts'
import type { Schedules } from './schedules/schedules.ts'

/** What a caller says of one job, beside its definition. */
export interface AddOptions {
  /** Seconds until the job is due. Default 0. */
  readonly delayS?: number
  /** Takes the place of the `unique` of the definition. */
  readonly unique?: string
}

/** A job that is stored. */
export interface AddedJob {
  readonly id: string
  readonly name: string
  /** `false`: a job with the same unique key had been added before and has not ended; `id` and `state` are its own. */
  readonly added: boolean
  readonly state: JobState
}

export interface JobsParts {
  readonly registry: JobRegistry
  readonly schedules: Pick<OpenedSchedules, 'registry' | 'schedules' | 'prepareBy'>
  readonly store: JobStore
  readonly storeWithin: (tx: Transaction) => JobStore
  readonly clock: { now(): number }
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

/** A page of jobs. `next`: where the following page begins; `null` on the last one. */
export interface JobPage {
  readonly items: readonly ListedJob[]
  readonly next: string | null
}

/** What adds jobs, inside a transaction or outside. */
export interface JobAdder {
  /**
   * Stores a job. It runs at least once after this resolves.
   *
   * @throws UnknownJob, InvalidJobBody (400), JobsUnavailable (503)
   */
  add(name: string, body?: unknown, options?: AddOptions): Promise<AddedJob>
  /** Stores jobs of one kind, all or none. @throws as `add` */
  addMany(name: string, bodies: readonly unknown[], options?: AddOptions): Promise<readonly AddedJob[]>
}

/** `fastify.jobs`. */
export class Jobs implements JobAdder {
  readonly #parts: JobsParts
  readonly #ids: UuidIds

  constructor(parts: JobsParts) {
    this.#parts = parts
    this.#ids = new UuidIds(parts.clock)
    parts.schedules.prepareBy((name, body) => this.#record(parts.registry.get(name), body, {}))
  }

  /** The names of all kinds of jobs. */
  get names(): readonly string[] {
    return this.#parts.registry.names
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

  async add(name: string, body: unknown = {}, options: AddOptions = {}): Promise<AddedJob> {
    const [added] = await this.addMany(name, [body], options)
    return added as AddedJob
  }

  async addMany(name: string, bodies: readonly unknown[], options: AddOptions = {}): Promise<readonly AddedJob[]> {
    const { store, added } = this.#parts
    const jobs = await this.#stored(store, name, bodies, options)
    added()
    return jobs
  }

  /**
   * Adds jobs within an open transaction of the database that keeps jobs: they are stored with what else it writes, or
   * not at all.
   *
   * @throws StoreOutsideTransaction (SVC_STORE_TRANSACTION) if jobs are kept elsewhere, TransactionOver
   */
  within(tx: Transaction): JobAdder {
    const store = this.#parts.storeWithin(tx)
    const addMany = async (name: string, bodies: readonly unknown[], options: AddOptions = {}) => {
      const jobs = await this.#stored(store, name, bodies, options)
      afterCommit(tx, this.#parts.added)
      return jobs
    }
    const add = async (name: string, body: unknown = {}, options?: AddOptions) =>
      (await addMany(name, [body], options))[0] as AddedJob
    return { add, addMany }
  }

  /** @throws JobNotFound (404) */
  async get(id: string): Promise<JobRecord> {
    const [job] = await this.#parts.store.load([id])
    if (job === undefined) throw new JobNotFound()
    return job
  }

  /** The newest first, without their bodies; `next` continues where this page ends. @throws InvalidPage (400) */
  async list({ limit = 50, before, ...filter }: JobListing = {}): Promise<JobPage> {
    checkInteger('limit', limit, 1, 1000)
    const found = await this.#parts.store.list(filter, limit + 1, before)
    const items = found.slice(0, limit)
    return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null }
  }

  /** Cancels a job that has not ended, and aborts its attempt. @throws JobNotFound (404), JobState (409) */
  async cancel(id: string): Promise<void> {
    const job = await this.#parts.store.cancel(id)
    if (job === null) throw new JobNotFound()
    if (job.state !== 'cancelled') throw new WrongState(job.state)
    this.#parts.cancelled(id)
  }

  /**
   * Runs a job again that has failed, is parked or cancelled.
   *
   * @throws JobNotFound (404), JobState (409), JobKeyTaken (409) while another job has its unique key
   */
  async retry(id: string): Promise<void> {
    const job = await this.#parts.store.retry(id).catch((error: unknown) => {
      throw error instanceof UniqueViolation ? new JobKeyTaken() : error
    })
    if (job === null) throw new WrongState((await this.get(id)).state)
    this.#parts.added()
  }

  async #stored(
    store: JobStore,
    name: string,
    bodies: readonly unknown[],
    options: AddOptions
  ): Promise<readonly AddedJob[]> {
    const definition = this.#parts.registry.get(name)
    const records = await Promise.all(bodies.map((body) => this.#record(definition, body, options)))
    const stored = await store.add(records)
    return stored.map(({ id, state }, place) => ({ id, name, added: id === records[place]?.id, state }))
  }

  async #record(definition: JobDefinition, given: unknown, { delayS = 0, unique }: AddOptions): Promise<NewRecord> {
    const { name } = definition
    const cause = currentCause()
    const body = await definition.check(given)
    return {
      id: this.#ids.generate(),
      name,
      lane: definition.lane(body),
      // What the caller gave: the schema makes its own of it again before the job runs.
      body: plainJson(name, given),
      uniqueKey: unique === undefined ? definition.unique(body) : `${name} ${unique}`,
      traceparent: currentTraceparent(),
      cause,
      delayMs: delayS * 1000
    }
  }
}

/** @throws InvalidJobBody for what JSON cannot hold */
function plainJson(name: string, body: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(body)) as unknown
  } catch {
    throw new InvalidJobBody(name, 'it is not JSON')
  }
}
