/**
 * A queue as a table of the storage port: SQLite on one machine, PostgreSQL or documents for many instances. A row is a
 * job and names the worker that holds it; a due row without a worker may be claimed. A claim visits lanes in turn, from
 * the one after the last: its cost does not depend on how many jobs wait.
 */
import type { Clock } from 'svc-kernel'
import type { StoreDefinition } from 'svc-stores'
import { after, atLeast, type Database, not, oneOf, purge, type Where } from 'svc-stores/table'
import { NORMAL } from '../priority.ts'
import {
  type HeldJob,
  type LaneControl,
  type LaneRules,
  type NewJob,
  type OutcomeBatch,
  type PendingJobs,
  QUEUE_OPERATIONS,
  type Queue,
  type QueueCounts
} from '../queue.ts'
import { DueFloor } from './due-floor.ts'
import { LaneGrants } from './lane-grants.ts'
import { LaneTable } from './lane-table.ts'
import { LaneTurns } from './lane-turns.ts'
import {
  AT_ONCE,
  BY_DUE,
  BY_TURN,
  byTurn,
  HELD,
  NO_WORKER,
  QueueRows,
  type Row,
  type TableNames,
  turnOfRow
} from './queue-rows.ts'
import { WorkerTable } from './worker-table.ts'

/** Names of the tables that hold a shared queue. They cannot change once they are published. */
export interface QueueTables {
  /** The name of the store in options, logs and listings. */
  readonly brick: string
  readonly jobs: TableNames
  readonly workers: TableNames
  /** Absent: lanes have no shared limits, priorities and pauses. */
  readonly lanes?: TableNames
}

const BY_WORKER = [{ field: 'holder', direction: 'ASC' }] as const

/** A queue in tables of a package's own: jobs, the workers that hold them and, if it has them, limits of lanes. */
export class TableQueue implements Queue {
  readonly lanes: LaneControl | undefined
  readonly #clock: Clock
  readonly #rows: QueueRows
  readonly #workers: WorkerTable
  readonly #floor: DueFloor
  readonly #turns: LaneTurns
  readonly #laneTable: LaneTable | null
  readonly #grants: LaneGrants | null
  /** Rows of earlier versions have a priority. */
  #adopted = false

  constructor(database: Database, clock: Clock, { jobs, workers, lanes }: Omit<QueueTables, 'brick'>) {
    this.#clock = clock
    this.#rows = new QueueRows(database, jobs, lanes !== undefined)
    this.#floor = new DueFloor(clock)
    this.#turns = new LaneTurns(this.#rows, this.#floor)
    this.#laneTable = lanes === undefined ? null : new LaneTable(database, lanes, this.#rows, clock)
    this.#grants = lanes === undefined ? null : new LaneGrants(database, { jobs, lanes }, this.#rows, clock)
    this.lanes = this.#laneTable ?? undefined
    this.#workers = new WorkerTable(database, workers, {
      workers: () => this.#holders(),
      release: (worker) => this.#release({ holder: worker }, this.#rows.hasPriorities)
    })
  }

  async admit(worker: string, jobs: readonly NewJob[]): Promise<readonly string[]> {
    const rows = this.#rowsOf(worker, jobs)
    const created = await this.#rows.table.insertNew(rows)
    this.#floor.lower(Math.min(...rows.map(({ dueAt }) => dueAt)))
    const wanted = jobs.filter(({ held }) => held).map(({ id }) => id)
    if (created === rows.length || wanted.length === 0) return wanted
    const ours = await this.#rows.table.find({ id: oneOf(wanted), holder: worker }, { without: ['event'] })
    return ours.map(({ id }) => id)
  }

  /** Stores jobs with ids that nothing has had before, held by no worker: one statement, in a transaction too. */
  async add(jobs: readonly Omit<NewJob, 'held'>[]): Promise<void> {
    const rows = this.#rowsOf(
      NO_WORKER,
      jobs.map((job) => ({ ...job, held: false }))
    )
    await this.#rows.table.insert(rows)
    this.#floor.lower(Math.min(...rows.map(({ dueAt }) => dueAt)))
  }

  #rowsOf(worker: string, jobs: readonly NewJob[]): Row[] {
    const now = this.#clock.now()
    return jobs.map(({ id, lane, payload, traceparent = null, delayMs = 0, held, priority }): Row => {
      const [holder, dueAt] = [held ? worker : NO_WORKER, now + delayMs]
      const row = { id, endpointId: lane, event: payload, traceparent, attempts: 0, holder, dueAt, admittedAt: now }
      return this.#rows.hasPriorities ? { ...row, priority: priority ?? NORMAL, lapses: 0 } : row
    })
  }

  async claim(
    worker: string,
    limit: number,
    room: (lane: string) => number,
    rules?: LaneRules
  ): Promise<readonly HeldJob[]> {
    const now = this.#clock.now()
    const claimed = await this.#turns.claim(limit, now, async (heads, left) => {
      const { endpointId: lane } = heads[0] as Row
      if ((await this.#laneTable?.paused())?.has(lane)) return []
      const wanted = Math.min(room(lane), left)
      if (wanted <= 0) return []
      const take = (rows: QueueRows, count: number) => rows.take(heads, { worker, now }, count)
      const limits = rules?.limits(lane)
      if (limits === undefined || this.#grants === null) return take(this.#rows, wanted)
      const { taken, laterMs } = await this.#grants.take({ lane, limits, wanted, take })
      if (laterMs > 0) rules?.later(laterMs)
      return taken
    })
    const { hasPriorities } = this.#rows
    return claimed.sort(byTurn).map((row) => ({ ...heldJob(row), ...(hasPriorities && { turn: turnOfRow(row) }) }))
  }

  async heartbeat(worker: string): Promise<boolean> {
    if (!this.#adopted) await this.#rows.adopt()
    this.#adopted = true
    return this.#workers.heartbeat(worker)
  }

  async settle(worker: string, { ended, retried, released }: OutcomeBatch): Promise<void> {
    const { table } = this.#rows
    if (ended.length > 0) await table.delete({ id: oneOf(ended) })
    const now = this.#clock.now()
    // One write for all that are alike.
    const alike = Map.groupBy(retried, ({ attempts, delayMs }) => `${attempts} ${delayMs}`)
    for (const [key, group] of alike) {
      const [attempts = 0, delayMs = 0] = key.split(' ').map(Number)
      const id = oneOf(group.map((retry) => retry.id))
      await table.update({ id, holder: worker }, { set: { holder: NO_WORKER, attempts, dueAt: now + delayMs } })
      this.#floor.lower(now + delayMs)
    }
    if (released.length > 0) await this.#release({ id: oneOf(released), holder: worker })
  }

  async #release(held: Where<Row>, isLapse = false): Promise<void> {
    const set = { holder: NO_WORKER }
    await this.#rows.table.update(held, isLapse ? { set, add: { lapses: 1 } } : { set })
    this.#floor.lower(AT_ONCE)
  }

  async reschedule(lane: string, limit: number): Promise<number> {
    const later = { holder: NO_WORKER, endpointId: lane, dueAt: atLeast(AT_ONCE + 1) }
    const rows = (await this.#rows.first(later, limit)).slice(0, limit)
    const id = oneOf(rows.map((row) => row.id))
    if (rows.length > 0) await this.#rows.table.update({ id, holder: NO_WORKER }, { set: { dueAt: AT_ONCE } })
    this.#floor.lower(AT_ONCE)
    return rows.length
  }

  discard(lane: string): Promise<number> {
    return purge(this.#rows.table, { holder: NO_WORKER, endpointId: lane })
  }

  /** Removes jobs that no worker holds. @returns ids of those that one holds */
  async withdraw(ids: readonly string[]): Promise<readonly string[]> {
    const { table } = this.#rows
    await table.delete({ id: oneOf(ids), holder: NO_WORKER })
    return (await table.find({ id: oneOf(ids) }, { without: ['event'] })).map(({ id }) => id)
  }

  async counts(): Promise<QueueCounts> {
    const { table } = this.#rows
    const [total, held, first] = await Promise.all([table.count({}), table.count(HELD), this.#rows.admittedFirst()])
    const oldestMs = first === null ? null : Math.max(0, this.#clock.now() - first)
    return { waiting: Math.max(0, total - held), held, oldestMs }
  }

  async lateMs(besides?: string): Promise<number | null> {
    const now = this.#clock.now()
    const others = besides !== undefined && { endpointId: not(besides) }
    const heads = await this.#rows.first({ holder: NO_WORKER, ...others }, 1, BY_DUE)
    const due = heads.filter(({ dueAt }) => dueAt <= now).map(({ dueAt, admittedAt }) => dueAt || admittedAt)
    return due.length === 0 ? null : Math.max(0, now - Math.min(...due))
  }

  async pending(lane: string, limit: number): Promise<PendingJobs> {
    const { table } = this.#rows
    const free = { holder: NO_WORKER, endpointId: lane }
    const [waiting, rows, holders] = await Promise.all([
      table.count(free),
      this.#rows.first(free, limit, BY_TURN, []),
      this.#holders()
    ])
    const held = await Promise.all(holders.map((holder) => table.count({ holder, endpointId: lane })))
    const next = rows.slice(0, limit).map((row) => {
      return { ...heldJob(row), dueAt: row.dueAt === AT_ONCE ? row.admittedAt : row.dueAt }
    })
    return { waiting, held: held.reduce((sum, count) => sum + count, 0), next }
  }

  async leave(worker: string): Promise<void> {
    await this.#workers.leave(worker)
    await this.#grants?.leave()
  }

  /** The workers that hold jobs. One read for each. */
  async #holders(): Promise<readonly string[]> {
    const holders: string[] = []
    for (let last = NO_WORKER; ; ) {
      const where = after<Row>(BY_WORKER, { holder: last } as Row)
      const [row] = await this.#rows.table.find(where, { order: BY_WORKER, limit: 1, without: ['event'] })
      if (row === undefined) return holders
      last = row.holder
      holders.push(last)
    }
  }
}

function heldJob({ id, endpointId, event, traceparent, attempts, lapses }: Row): HeldJob {
  const known = { ...(traceparent !== null && { traceparent }), ...(lapses != null && { lapses }) }
  return { id, lane: endpointId, payload: event, attempts, ...known }
}

/** A queue in tables of a package's own, for every engine that has the storage port. */
export function queueStore({ brick, ...tables }: QueueTables): StoreDefinition<Queue> {
  return {
    brick,
    operations: [...QUEUE_OPERATIONS],
    open: (database, { clock }) => new TableQueue(database, clock, tables),
    check: (queue) => queue.counts()
  }
}
