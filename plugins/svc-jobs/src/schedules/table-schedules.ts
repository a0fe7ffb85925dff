/**
 * Schedules in a table of the storage port, beside the jobs of their slots: a row moves on and its job is stored in one
 * transaction. Whichever instance moves a row first has made the slot; the others find it moved.
 */
import { type StoreDefinition, type StoreParts, TransactionConflict, UniqueViolation } from 'svc-stores'
import { operationsOf } from 'svc-stores/plugin'
import { type Database, JoinedDatabase, type Table } from 'svc-stores/table'
import { type JobRecord, OPEN_STATES } from '../records/job-record.ts'
import type { JobStore, NewRecord } from '../records/job-store.ts'
import { TableJobs } from '../records/table-jobs.ts'
import type { ScheduleMove } from './schedule-move.ts'
import { type ScheduleRecord, schedulePlan } from './schedule-record.ts'

/** What is to become of a schedule, and the job of its slot. */
export interface StoredMove extends Pick<ScheduleMove, 'change' | 'cancels'> {
  readonly job: NewRecord | null
}

/** What was stored. */
export interface Moved {
  readonly record: ScheduleRecord
  /** The job of the slot; one with the same unique key, where that has not ended. */
  readonly job: JobRecord | null
  /** The id of the job that was cancelled. */
  readonly cancelled: string | null
}

/** Where schedules are stored: the database of their jobs. Rejects with an error of status 503 while it cannot be reached. */
export interface ScheduleStore {
  /** The jobs of slots. */
  readonly jobs: JobStore
  /** By name. */
  list(): Promise<readonly ScheduleRecord[]>
  /** Stores a schedule unless one has its name. @returns the one that is there */
  declare(record: ScheduleRecord): Promise<ScheduleRecord>
  /** Changes a schedule, unless another change came first, or is under way. @returns the schedule; `null`: nothing was changed */
  change(name: string, revision: number, change: Partial<ScheduleRecord>): Promise<ScheduleRecord | null>
  /** @returns the schedule; `null` without one */
  pause(name: string, paused: boolean): Promise<ScheduleRecord | null>
  /**
   * Decides on a schedule as it is, and stores what comes of it: all or nothing, once among all instances.
   *
   * @param decide with `isOpen`: the last job has not ended. It may throw
   * @returns `null` if there is no such schedule, nothing is to be done, or another instance came first, or is about to
   */
  move(name: string, decide: (record: ScheduleRecord, isOpen: boolean) => StoredMove | null): Promise<Moved | null>
}

export class TableSchedules implements ScheduleStore {
  readonly jobs: JobStore
  readonly #database: Database
  readonly #parts: StoreParts
  readonly #schedules: Table<ScheduleRecord>

  constructor(database: Database, parts: StoreParts) {
    this.#database = database
    this.#parts = parts
    this.#schedules = database.table(schedulePlan)
    this.jobs = new TableJobs(database, parts)
  }

  list(): Promise<readonly ScheduleRecord[]> {
    return this.#schedules.find({})
  }

  declare(record: ScheduleRecord): Promise<ScheduleRecord> {
    return this.#schedules.insertIfAbsent(record, ['name'])
  }

  /** A locked row is not waited for: other schedules are due. */
  async change(name: string, revision: number, change: Partial<ScheduleRecord>): Promise<ScheduleRecord | null> {
    const [changed = null] = await this.#schedules.claim({ name, revision }, { set: change, add: { revision: 1 } }, 1)
    return changed
  }

  pause(name: string, paused: boolean): Promise<ScheduleRecord | null> {
    return this.#schedules.updateOne({ name }, { set: { paused }, add: { revision: 1 } })
  }

  move(name: string, decide: (record: ScheduleRecord, isOpen: boolean) => StoredMove | null): Promise<Moved | null> {
    const database = this.#database
    if (database.transactions === false) return this.#moved(name, decide, false)
    const moved = database.transaction(
      (tx) => new TableSchedules(new JoinedDatabase(database, tx), this.#parts).#moved(name, decide, true),
      { retry: false }
    )
    return moved.catch(otherCameFirst)
  }

  async #moved(
    name: string,
    decide: (record: ScheduleRecord, isOpen: boolean) => StoredMove | null,
    isUndone: boolean
  ): Promise<Moved | null> {
    const before = await this.#schedules.findOne({ name })
    if (before === null) return null
    const last = before.lastJob === null ? [] : await this.jobs.load([before.lastJob])
    const move = decide(
      before,
      last.some(({ state }) => OPEN_STATES.includes(state))
    )
    if (move === null) return null
    const { change, cancels, job } = move
    const write = (lastJob: string | null) => this.change(name, before.revision, { ...change, lastJob })
    // What cannot be undone is done before the row moves on: a slot may be tried again, and its id is taken then.
    const early = isUndone || job === null ? null : await this.#stored(job)
    const record = await write(early?.id ?? job?.id ?? before.lastJob)
    if (record === null) return null
    const cancelled = cancels ? before.lastJob : null
    if (cancelled !== null) await this.jobs.cancel(cancelled)
    const made = early ?? (job === null ? null : await this.#stored(job))
    if (made === null || made.id === record.lastJob) return { record, job: made, cancelled }
    await this.#schedules.update({ name }, { set: { lastJob: made.id } })
    return { record: { ...record, lastJob: made.id }, job: made, cancelled }
  }

  /** A slot that was made before keeps its job. */
  async #stored(job: NewRecord): Promise<JobRecord | null> {
    const [there] = await this.jobs.load([job.id])
    if (there !== undefined) return there
    try {
      const [stored = null] = await this.jobs.add([job])
      return stored
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error
      return (await this.jobs.load([job.id]))[0] ?? null
    }
  }
}

/** The next look finds what it has made. */
function otherCameFirst(error: unknown): null {
  if (error instanceof TransactionConflict) return null
  throw error
}

export const scheduleStore: StoreDefinition<ScheduleStore> = {
  brick: 'schedules',
  operations: operationsOf(TableSchedules),
  open: (database, parts) => new TableSchedules(database, parts),
  check: (store) => store.list()
}
