/**
 * Batches in tables beside their jobs. The end of a job changes the counts of its batches in the transaction that stores
 * the end; the change that leaves no job admits the one that follows, so that this happens once, and never without it.
 */
import type { Clock } from 'svc-kernel'
import { atLeast, atMost, type Change, type Database, not, oneOf, type Table } from 'svc-stores/table'
import { UnknownJobBefore } from '../errors.ts'
import { type BatchRecord, batchPlan, batchState, type MemberRecord, memberPlan } from './batch-record.ts'
import { type JobRecord, OPEN, OPEN_STATES } from './job-record.ts'

/** Where batches are stored. Rejects with an error of status 503 while the database cannot be reached. */
export interface BatchStore {
  load(ids: readonly string[]): Promise<readonly BatchRecord[]>
  /** The batches that count this job. */
  of(job: string): Promise<readonly BatchRecord[]>
}

export interface TableBatchesParts {
  /** A transaction, for whatever writes. */
  readonly database: Database
  readonly jobs: Table<JobRecord>
  readonly clock: Pick<Clock, 'now'>
  /** Puts a job into the queue that waits now. */
  readonly admit: (job: JobRecord, delayMs: number) => Promise<void>
}

/** Jobs and members that one statement names. */
const AT_ONCE = 500

const UNFOLLOWED = 'a job before it was not done, and its batch is removed'

export class TableBatches implements BatchStore {
  readonly #parts: TableBatchesParts
  readonly #batches: Table<BatchRecord>
  readonly #members: Table<MemberRecord>

  constructor(parts: TableBatchesParts) {
    this.#parts = parts
    this.#batches = parts.database.table(batchPlan)
    this.#members = parts.database.table(memberPlan)
  }

  load(ids: readonly string[]): Promise<readonly BatchRecord[]> {
    return this.#batches.find({ id: oneOf(ids) })
  }

  async of(job: string): Promise<readonly BatchRecord[]> {
    const members = await this.#members.find({ job })
    return members.length === 0 ? [] : this.load(members.map(({ batch }) => batch))
  }

  /**
   * @param fresh ids of jobs that were stored in this transaction, and count one batch @param standing ids of others
   * @throws UnknownJobBefore
   */
  async add(
    id: string,
    next: string | null,
    fresh: readonly string[],
    standing: readonly string[]
  ): Promise<BatchRecord> {
    const [open, failed] = await this.#follow(standing)
    const members = [...fresh, ...open, ...failed]
    await this.#members.insert(members.map((job) => ({ batch: id, job })))
    const counts = { jobs: fresh.length + standing.length, left: members.length, failed: failed.length }
    const addedAt = this.#parts.clock.now()
    const batch: BatchRecord = { id, state: 'open', ...counts, next, addedAt, endedAt: null, revision: 0 }
    await this.#batches.insert([batch])
    return this.#settled(batch)
  }

  /**
   * Stores the end of those jobs that are followed and have not ended.
   *
   * @returns the batches that are done or stuck by it
   */
  async end(ids: readonly string[], set: NonNullable<Change<JobRecord>['set']>): Promise<readonly BatchRecord[]> {
    const open = { id: oneOf(ids), ...OPEN, followed: atLeast(1) }
    const jobs = await this.#parts.jobs.find(open, { without: ['body'], lock: 'update' })
    const ended = jobs.map(({ id }) => id)
    if (ended.length === 0) return []
    await this.#parts.jobs.update({ ...open, id: oneOf(ended) }, { set })
    const isDone = set.state === 'done'
    return this.#counted(ended, (number) => (isDone ? { left: -number } : { failed: number }))
  }

  /** A job that had failed, was parked or cancelled waits again. */
  async reopen(id: string): Promise<void> {
    await this.#counted([id], (number) => ({ failed: -number }))
  }

  /** Whether the jobs of a batch are not all done; until this transaction ends they stay so. */
  async holds(id: string): Promise<boolean> {
    return (await this.#batches.updateOne({ id, state: not('done') }, { add: { revision: 1 } })) !== null
  }

  /** Batches that were done or stuck before this time. */
  over(before: number): Promise<readonly BatchRecord[]> {
    const order = [{ field: 'endedAt', direction: 'ASC' }] as const
    return this.#batches.find({ endedAt: atMost(before) }, { order, limit: 100 })
  }

  /**
   * Removes a part of a batch; its jobs may go then. The job that follows, and never will, is ended by `cancel`.
   *
   * @returns whether nothing is left of it
   */
  async remove(
    { id, endedAt }: BatchRecord,
    cancel: (job: string, reason: string) => Promise<unknown>
  ): Promise<boolean> {
    const batch = await this.#batches.updateOne({ id, endedAt: atMost(endedAt ?? 0) }, { add: { revision: 1 } })
    if (batch === null) return true
    if (batch.next !== null && batch.state === 'stuck') await cancel(batch.next, UNFOLLOWED)
    const members = await this.#members.find({ batch: id }, { limit: AT_ONCE })
    const jobs = members.map(({ job }) => job)
    if (jobs.length > 0) {
      await this.#parts.jobs.update({ id: oneOf(jobs) }, { add: { followed: -1 } })
      await this.#parts.jobs.update({ id: oneOf(jobs), followed: 0 }, { set: { followed: null } })
      await this.#members.delete({ batch: id, job: oneOf(jobs) })
    }
    if (jobs.length === AT_ONCE) return false
    await this.#batches.delete({ id })
    return true
  }

  /** From now on their ends are counted. @returns the ids of those that have not ended, and that have but are not done */
  async #follow(ids: readonly string[]): Promise<readonly [open: readonly string[], failed: readonly string[]]> {
    const { jobs } = this.#parts
    const found: JobRecord[] = []
    for (const part of parts(ids)) {
      await jobs.update({ id: oneOf(part), state: not('done') }, { add: { followed: 1 } })
      found.push(...(await jobs.find({ id: oneOf(part) }, { without: ['body'] })))
    }
    const known = new Set(found.map(({ id }) => id))
    const unknown = ids.filter((id) => !known.has(id))
    if (unknown.length > 0) throw new UnknownJobBefore(unknown.slice(0, NAMED).join(', '))
    const open = found.filter(({ state }) => OPEN_STATES.includes(state))
    const failed = found.filter(({ state }) => state !== 'done' && !OPEN_STATES.includes(state))
    return [open.map(({ id }) => id), failed.map(({ id }) => id)]
  }

  async #counted(
    jobs: readonly string[],
    add: (number: number) => { readonly left?: number; readonly failed?: number }
  ): Promise<readonly BatchRecord[]> {
    const members = await this.#members.find({ job: oneOf(jobs) })
    const settled: BatchRecord[] = []
    // In one order: two transactions that change the same batches do not wait for each other in a circle.
    const byBatch = [...Map.groupBy(members, ({ batch }) => batch)].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [id, { length }] of byBatch) {
      const batch = await this.#batches.updateOne({ id }, { add: { ...add(length), revision: 1 } })
      if (batch === null) continue
      const now = await this.#settled(batch)
      if (now.state !== 'open' && now.state !== batch.state) settled.push(now)
    }
    return settled
  }

  /** Stores what its counts say of a batch that this transaction has written. */
  async #settled(batch: BatchRecord): Promise<BatchRecord> {
    const state = batchState(batch)
    if (state === batch.state) return batch
    const endedAt = state === 'open' ? null : this.#parts.clock.now()
    await this.#batches.update({ id: batch.id }, { set: { state, endedAt } })
    if (state === 'done' && batch.next !== null) await this.#unblock(batch.next)
    return { ...batch, state, endedAt }
  }

  /** One that was cancelled meanwhile stays so. */
  async #unblock(id: string): Promise<void> {
    const { jobs, clock, admit } = this.#parts
    const job = await jobs.updateOne({ id, state: 'blocked' }, { set: { state: 'waiting' } })
    if (job === null) return
    const delayMs = Math.max(0, job.dueAt - clock.now())
    if (delayMs === 0) await jobs.update({ id }, { set: { dueAt: clock.now() } })
    await admit(job, delayMs)
  }
}

/** How many ids an error names. */
const NAMED = 5

function* parts(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) yield ids.slice(from, from + AT_ONCE)
}
