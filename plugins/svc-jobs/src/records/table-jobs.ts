/**
 * Jobs in tables of the storage port: a row for each job and, until it has ended, a row in the queue beside it. Both are
 * written in one transaction, which is that of the caller where there is one.
 */
import type { Queue } from 'svc-queue'
import { queueStore } from 'svc-queue'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf } from 'svc-stores/plugin'
import {
  after,
  all,
  atMost,
  type Database,
  JoinedDatabase,
  oneOf,
  purge,
  type Table,
  type Where
} from 'svc-stores/table'
import { JOB_STATES, type JobRecord, type JobState, jobPlan, OPEN_STATES } from './job-record.ts'

/** A job to be added. */
export interface NewRecord
  extends Pick<JobRecord, 'id' | 'name' | 'lane' | 'body' | 'uniqueKey' | 'traceparent' | 'cause'> {
  readonly delayMs: number
}

/** Which jobs a list has. */
export interface JobFilter {
  readonly state?: JobState
  readonly name?: string
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
}

/** Where jobs are stored. Rejects with an error of status 503 while the database cannot be reached. */
export interface JobStore {
  /** Holds a row for each job that has not ended. */
  readonly queue: Queue
  /** All or none. @returns the jobs that are there now: the new ones, or those that have their unique key */
  add(jobs: readonly NewRecord[]): Promise<readonly JobRecord[]>
  load(ids: readonly string[]): Promise<readonly JobRecord[]>
  /** The newest first, without their bodies. @param before id of the last job that was shown */
  list(filter: JobFilter, limit: number, before?: string): Promise<readonly ListedJob[]>
  /** Attempts begin. @returns the jobs that have ended before, or are gone: their attempts do not begin */
  begin(ids: readonly string[]): Promise<readonly string[]>
  /** Jobs that were cancelled meanwhile stay so. */
  end(ids: readonly string[], ending: Ending): Promise<void>
  /** The attempt failed, and another one follows. */
  fail(id: string, failure: Pick<JobRecord, 'attempts' | 'reason' | 'dueAt'>): Promise<void>
  /** The attempts were interrupted, and do not count. */
  release(ids: readonly string[]): Promise<void>
  /** The process of an attempt has ended before it. @returns how often by now */
  interrupted(id: string): Promise<number>
  /** @returns the job as it is now, `null` without one; it is cancelled unless it has ended before */
  cancel(id: string): Promise<JobRecord | null>
  /**
   * Makes a job that has failed, was parked or cancelled wait again, due at once.
   *
   * @returns the job; `null` without one that has ended so @throws UniqueViolation while another job has its unique key
   */
  retry(id: string): Promise<JobRecord | null>
  /** Removes jobs that have ended before. @returns how many */
  purge(before: number): Promise<number>
}

const jobQueue = queueStore({
  brick: 'jobs',
  jobs: { name: 'svc_job_queue', collection: 'job_queue', record: 'queued job' },
  workers: { name: 'svc_job_worker', collection: 'job_worker', record: 'worker of jobs' },
  lanes: { name: 'svc_job_lane', collection: 'job_lane', record: 'lane of jobs' }
})

const NEWEST = [{ field: 'id', direction: 'DESC' }] as const

/** Nobody holds what is added: the worker that has room takes it. */
const NO_WORKER = ''

export class TableJobs implements JobStore {
  readonly queue: Queue
  readonly #database: Database
  readonly #parts: StoreParts
  readonly #jobs: Table<JobRecord>

  constructor(database: Database, parts: StoreParts) {
    this.#database = database
    this.#parts = parts
    this.#jobs = database.table(jobPlan)
    this.queue = jobQueue.open(database, parts)
  }

  async add(jobs: readonly NewRecord[]): Promise<readonly JobRecord[]> {
    return this.#together((store) => store.#added(jobs))
  }

  load(ids: readonly string[]): Promise<readonly JobRecord[]> {
    return this.#jobs.find({ id: oneOf(ids) })
  }

  async list({ state, name }: JobFilter, limit: number, before?: string): Promise<readonly ListedJob[]> {
    const older = before === undefined ? {} : after<JobRecord>(NEWEST, { id: before } as JobRecord)
    const read = (where: Where<JobRecord>) =>
      this.#jobs.find(all(where, older), { order: NEWEST, limit, without: ['body'] })
    if (name === undefined) return read(state === undefined ? {} : { state })
    // Each in the order of its index, whatever the number of jobs.
    const lists = await Promise.all(
      (state === undefined ? JOB_STATES : [state]).map((each) => read({ name, state: each }))
    )
    return lists
      .flat()
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, limit)
  }

  async begin(ids: readonly string[]): Promise<readonly string[]> {
    const open = { id: oneOf(ids), state: oneOf(OPEN_STATES) }
    const begun = await this.#jobs.update(open, { set: { state: 'running', startedAt: this.#now() } })
    if (begun === ids.length) return []
    const there = new Set((await this.#jobs.find(open, { without: ['body'] })).map(({ id }) => id))
    return ids.filter((id) => !there.has(id))
  }

  async end(ids: readonly string[], ending: Ending): Promise<void> {
    const set = { ...ending, uniqueKey: null, endedAt: this.#now() }
    await this.#jobs.update({ id: oneOf(ids), state: oneOf(OPEN_STATES) }, { set })
  }

  async fail(id: string, failure: Pick<JobRecord, 'attempts' | 'reason' | 'dueAt'>): Promise<void> {
    await this.#jobs.update({ id, state: oneOf(OPEN_STATES) }, { set: { ...failure, state: 'waiting' } })
  }

  async release(ids: readonly string[]): Promise<void> {
    await this.#jobs.update({ id: oneOf(ids), state: 'running' }, { set: { state: 'waiting' } })
  }

  async interrupted(id: string): Promise<number> {
    const job = await this.#jobs.updateOne({ id, state: 'running' }, { add: { interruptions: 1 } })
    return job?.interruptions ?? 0
  }

  async cancel(id: string): Promise<JobRecord | null> {
    const set = { state: 'cancelled', uniqueKey: null, endedAt: this.#now() } as const
    const cancelled = await this.#jobs.updateOne({ id, state: oneOf(OPEN_STATES) }, { set })
    return cancelled ?? this.#jobs.findOne({ id })
  }

  async retry(id: string): Promise<JobRecord | null> {
    return this.#together(async (store) => {
      const ended = { id, state: oneOf(['failed', 'parked', 'cancelled'] as const) }
      const before = await store.#jobs.findOne(ended)
      if (before === null) return null
      const { key: uniqueKey } = before
      const fresh = { ...FRESH, reason: before.reason, uniqueKey, dueAt: this.#now() }
      const job = await store.#jobs.updateOne(ended, { set: fresh })
      if (job !== null) await store.#queued([{ ...job, delayMs: 0 }])
      return job
    })
  }

  purge(before: number): Promise<number> {
    return purge(this.#jobs, { endedAt: atMost(before) })
  }

  /** In one transaction: that of the caller where there is one. A server without transactions keeps what came before a failure. */
  #together<T>(work: (store: TableJobs) => Promise<T>): Promise<T> {
    const database = this.#database
    if (database instanceof JoinedDatabase || database.transactions === false) return work(this)
    return database.transaction((tx) => work(new TableJobs(new JoinedDatabase(database, tx), this.#parts)))
  }

  async #added(jobs: readonly NewRecord[]): Promise<readonly JobRecord[]> {
    const now = this.#now()
    const rows = jobs.map(
      ({ delayMs, ...job }): JobRecord => ({
        ...FRESH,
        ...job,
        key: job.uniqueKey,
        addedAt: now,
        dueAt: now + delayMs
      })
    )
    const plain = rows.filter(({ uniqueKey }) => uniqueKey === null)
    if (plain.length > 0) await this.#jobs.insert(plain)
    const there = new Map(plain.map((row) => [row.id, row]))
    for (const row of rows) {
      if (row.uniqueKey !== null) there.set(row.id, await this.#jobs.insertIfAbsent(row, ['uniqueKey']))
    }
    await this.#queued(jobs.filter(({ id }) => there.get(id)?.id === id))
    return rows.map((row) => there.get(row.id) ?? row)
  }

  #now(): number {
    return this.#parts.clock.now()
  }

  async #queued(jobs: readonly Pick<NewRecord, 'id' | 'lane' | 'traceparent' | 'delayMs'>[]): Promise<void> {
    const admitted = jobs.map(({ id, lane, traceparent, delayMs }) => {
      return { id, lane, payload: '{}', held: false, delayMs, ...(traceparent !== null && { traceparent }) }
    })
    if (admitted.length > 0) await this.queue.admit(NO_WORKER, admitted)
  }
}

const FRESH = { state: 'waiting', attempts: 0, interruptions: 0, reason: null, startedAt: null, endedAt: null } as const

export const jobStore: StoreDefinition<JobStore> = {
  brick: 'jobs',
  operations: operationsOf(TableJobs),
  open: (database, parts) => new TableJobs(database, parts),
  check: (store) => store.load([])
}
