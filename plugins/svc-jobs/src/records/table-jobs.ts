/**
 * Jobs in tables of the storage port: a row for each job and, until it has ended, a row in the queue beside it. Both are
 * written in one transaction, which is that of the caller where there is one.
 */
import { randomId } from 'svc-kernel/plugin'
import { TableQueue } from 'svc-queue'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf } from 'svc-stores/plugin'
import { atMost, type Database, isNull, JoinedDatabase, oneOf, type Table } from 'svc-stores/table'
import { JobEnding, JobKeyTaken } from '../errors.ts'
import { countJobs, listJobs } from './job-lists.ts'
import { type PurgedTables, purgeJobs, type Together } from './job-purge.ts'
import { type JobProgress, type JobRecord, jobPlan, OPEN } from './job-record.ts'
import type {
  Ending,
  Ends,
  Failure,
  JobCounts,
  JobFilter,
  JobGroup,
  JobStore,
  ListedJob,
  NewBatch,
  NewRecord,
  StoredBatch
} from './job-store.ts'
import { TableBatches } from './table-batches.ts'
import { TableSteps } from './table-steps.ts'

const QUEUE = {
  jobs: { name: 'svc_job_queue', collection: 'job_queue', record: 'queued job' },
  workers: { name: 'svc_job_worker', collection: 'job_worker', record: 'worker of jobs' },
  lanes: { name: 'svc_job_lane', collection: 'job_lane', record: 'lane of jobs' }
}

/** Nobody holds what is added: the worker that has room takes it. */
const NO_WORKER = ''

export class TableJobs implements JobStore {
  readonly queue: TableQueue
  readonly batches: TableBatches
  readonly steps: TableSteps
  readonly #database: Database
  readonly #parts: StoreParts
  readonly #jobs: Table<JobRecord>

  constructor(database: Database, parts: StoreParts) {
    this.#database = database
    this.#parts = parts
    this.#jobs = database.table(jobPlan)
    this.queue = new TableQueue(database, parts.clock, QUEUE)
    this.steps = new TableSteps(database)
    const admit = (job: JobRecord, delayMs: number) => this.#queued([{ ...job, delayMs }])
    this.batches = new TableBatches({ database, jobs: this.#jobs, clock: parts.clock, admit })
  }

  async add(jobs: readonly NewRecord[]): Promise<readonly JobRecord[]> {
    // Nothing comes between steps in memory, and a transaction copies tables there.
    const isStep = this.#database.vendor === 'memory' && jobs.every(({ uniqueKey }) => uniqueKey === null)
    if (isStep) return this.#added(jobs)
    return this.#together((store) => store.#added(jobs))
  }

  addBatch({ id, jobs, after, next }: NewBatch): Promise<StoredBatch> {
    return this.#inTransaction(async (store) => {
      const follower = next === null ? null : await store.#follower(id, next)
      const added = await store.#added(jobs, { followed: 1 })
      // Those that were there with their unique keys are members too.
      const members = new Set([...added.map((job) => job.id), ...after])
      const given = new Set(jobs.map((job) => job.id))
      const fresh = [...members].filter((member) => given.has(member))
      const standing = [...members].filter((member) => !given.has(member))
      const batch = await store.batches.add(id, follower?.id ?? null, fresh, standing)
      const state = batch.state === 'done' ? 'waiting' : 'blocked'
      return { batch, jobs: added, next: follower && { ...follower, state } }
    })
  }

  load(ids: readonly string[]): Promise<readonly JobRecord[]> {
    return this.#jobs.find({ id: oneOf(ids) })
  }

  list(filter: JobFilter, limit: number, before?: string): Promise<readonly ListedJob[]> {
    return listJobs(this.#jobs, filter, limit, before)
  }

  counts(filter: JobGroup, most: number): Promise<JobCounts> {
    return countJobs(this.#jobs, filter, most, this.#now())
  }

  async begin(ids: readonly string[]): Promise<readonly string[]> {
    const open = { id: oneOf(ids), ...OPEN }
    const begun = await this.#jobs.update(open, { set: { state: 'running', startedAt: this.#now() } })
    if (begun === ids.length) return []
    const there = new Set((await this.#jobs.find(open, { without: ['body'] })).map(({ id }) => id))
    return ids.filter((id) => !there.has(id))
  }

  async end(ids: readonly string[], { keepsKey, ...ending }: Ending): Promise<Ends> {
    const set = { ...ending, ...(keepsKey !== true && { uniqueKey: null }), endedAt: this.#now() }
    const alone = { id: oneOf(ids), ...OPEN, followed: isNull }
    const hasSteps = ending.body !== undefined
    if (!hasSteps && (await this.#jobs.update(alone, { set })) === ids.length) return ALL_ALONE
    const batches = await this.#together(async (store) => {
      if (!hasSteps) return store.batches.end(ids, set)
      await store.steps.remove(ids)
      return (await store.#jobs.update(alone, { set })) === ids.length ? null : store.batches.end(ids, set)
    })
    if (batches === null) return ALL_ALONE
    const there = await this.#jobs.find({ id: oneOf(ids) }, { without: ['body'] })
    const ended = new Set(there.filter(({ state }) => state === ending.state).map(({ id }) => id))
    return { batches, missed: ids.filter((id) => !ended.has(id)) }
  }

  async progress(id: string, progress: JobProgress): Promise<void> {
    await this.#jobs.update({ id, state: 'running' }, { set: { progress } })
  }

  async fail(id: string, failure: Failure): Promise<void> {
    await this.#jobs.update({ id, ...OPEN }, { set: { ...failure, state: 'waiting' } })
  }

  async release(ids: readonly string[]): Promise<void> {
    await this.#jobs.update({ id: oneOf(ids), state: 'running' }, { set: { state: 'waiting' } })
  }

  async interrupted(id: string): Promise<number> {
    const job = await this.#jobs.updateOne({ id, state: 'running' }, { add: { interruptions: 1 } })
    return job?.interruptions ?? 0
  }

  async cancel(id: string): Promise<JobRecord | null> {
    return this.#together((store) => store.#cancelled(id, {}))
  }

  async retry(id: string): Promise<JobRecord | null> {
    return this.#together(async (store) => {
      const ended = { id, state: oneOf(['failed', 'parked', 'cancelled'] as const) }
      const before = await store.#jobs.findOne(ended)
      if (before === null) return null
      // Its row goes once the worker has settled its last attempt, and would take that of the next one with it.
      if (await store.#isHeld(id)) throw new JobEnding()
      const { key: uniqueKey, batch } = before
      const state = batch !== null && (await store.batches.holds(batch)) ? 'blocked' : 'waiting'
      const fresh = { ...FRESH, state, reason: before.reason, uniqueKey, dueAt: this.#now() } as const
      const job = await store.#jobs.updateOne(ended, { set: fresh })
      if (job === null) return null
      if (state === 'waiting')
        await store.#queued([{ ...job, delayMs: 0 }], JSON.stringify({ round: randomId('round') }))
      if (job.followed !== null) await store.batches.reopen(id)
      return job
    })
  }

  purge(before: number, signal?: AbortSignal): Promise<number> {
    const together: Together = (work) => this.#together((store) => work(store.#tables))
    return purgeJobs({ before, now: this.#now(), signal }, together)
  }

  /** In one transaction: that of the caller where there is one. A server without transactions keeps what came before a failure. */
  #together<T>(work: (store: TableJobs) => Promise<T>): Promise<T> {
    return this.#database.transactions === false ? work(this) : this.#inTransaction(work)
  }

  /** Rejects where the server has no transactions. */
  async #inTransaction<T>(work: (store: TableJobs) => Promise<T>): Promise<T> {
    const database = this.#database
    if (database instanceof JoinedDatabase) return work(this)
    return database.transaction((tx) => work(new TableJobs(new JoinedDatabase(database, tx), this.#parts)))
  }

  /** @throws JobKeyTaken: the job that has the key does not wait for the batch */
  async #follower(batch: string, job: NewRecord): Promise<JobRecord> {
    const [stored] = await this.#added([job], { state: 'blocked', batch })
    if (stored === undefined || stored.id !== job.id) throw new JobKeyTaken()
    return stored
  }

  /** Within a transaction. */
  async #cancelled(id: string, reason: { readonly reason?: string }): Promise<JobRecord | null> {
    const set = { ...reason, state: 'cancelled', endedAt: this.#now() } as const
    const cancelled = await this.#jobs.updateOne({ id, ...OPEN, followed: isNull }, { set })
    if (cancelled === null) await this.batches.end([id], set)
    const job = cancelled ?? (await this.#jobs.findOne({ id }))
    if (job?.state !== 'cancelled' || (await this.#isHeld(id)) || job.uniqueKey === null) return job
    return this.#jobs.updateOne({ id, state: 'cancelled' }, { set: { uniqueKey: null } })
  }

  get #tables(): PurgedTables {
    const cancel = (id: string, reason: string) => this.#cancelled(id, { reason })
    return { jobs: this.#jobs, batches: this.batches, steps: this.steps, cancel }
  }

  async #added(
    jobs: readonly NewRecord[],
    besides: Partial<Pick<JobRecord, 'state' | 'batch' | 'followed'>> = {}
  ): Promise<readonly JobRecord[]> {
    const now = this.#now()
    const rows = jobs.map(
      ({ delayMs, uniqueForMs = 0, ...job }): JobRecord => ({
        ...FRESH,
        ...PLAIN,
        ...job,
        ...besides,
        key: job.uniqueKey,
        uniqueUntil: uniqueForMs > 0 ? now + uniqueForMs : null,
        addedAt: now,
        dueAt: now + delayMs
      })
    )
    const plain = rows.filter(({ uniqueKey }) => uniqueKey === null)
    if (plain.length > 0) await this.#jobs.insert(plain)
    const there = new Map(plain.map((row) => [row.id, row]))
    for (const row of rows) {
      if (row.uniqueKey !== null) there.set(row.id, await this.#only(row))
    }
    const waits = ({ id }: NewRecord) => there.get(id)?.id === id && besides.state !== 'blocked'
    await this.#queued(jobs.filter(waits))
    return rows.map((row) => there.get(row.id) ?? row)
  }

  /**
   * A job that is done and had its unique key long enough gives it away, and one that was cancelled once its attempt is over.
   *
   * @throws JobEnding (409)
   */
  async #only(row: JobRecord): Promise<JobRecord> {
    const there = await this.#jobs.insertIfAbsent(row, ['uniqueKey'])
    const { id, endedAt, uniqueUntil, state } = there
    if (endedAt === null) return there
    if (state === 'cancelled') {
      if (await this.#isHeld(id)) throw new JobEnding()
    } else if (uniqueUntil !== null && uniqueUntil > row.addedAt) return there
    await this.#jobs.update({ id, endedAt: atMost(endedAt) }, { set: { uniqueKey: null } })
    return this.#jobs.insertIfAbsent(row, ['uniqueKey'])
  }

  /** A worker goes on with an attempt at a job that has ended. It goes from the queue otherwise. */
  async #isHeld(id: string): Promise<boolean> {
    return (await this.queue.withdraw([id])).length > 0
  }

  #now(): number {
    return this.#parts.clock.now()
  }

  /** @param payload what tells the jobs from the same ones before they were retried, for queues that a relay fills */
  async #queued(
    jobs: readonly Pick<NewRecord, 'id' | 'lane' | 'priority' | 'traceparent' | 'delayMs'>[],
    payload = '{}'
  ): Promise<void> {
    const admitted = jobs.map(({ id, lane, priority, traceparent, delayMs }) => {
      return { id, lane, priority, payload, held: false, delayMs, ...(traceparent !== null && { traceparent }) }
    })
    if (admitted.length > 0) await this.queue.admit(NO_WORKER, admitted)
  }
}

const COUNTS = { attempts: 0, interruptions: 0 } as const
const FRESH = { ...COUNTS, state: 'waiting', reason: null, progress: null, startedAt: null, endedAt: null } as const
const ALL_ALONE: Ends = { batches: [], missed: [] }
const PLAIN = { batch: null, followed: null, priority: 'normal', system: false } as const

export const jobStore: StoreDefinition<JobStore> = {
  brick: 'jobs',
  operations: operationsOf(TableJobs),
  open: (database, parts) => new TableJobs(database, parts),
  check: (store) => store.load([])
}
