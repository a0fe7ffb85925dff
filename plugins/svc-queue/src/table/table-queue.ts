/**
 * A queue as a table of the storage port: SQLite on one machine, PostgreSQL or documents for many instances. A row is a
 * job and names the worker that holds it; a due row without a worker may be claimed. A claim visits lanes in turn, from
 * the one after the last: its cost does not depend on how many jobs wait.
 */
import type { Clock } from 'svc-kernel'
import type { StoreDefinition } from 'svc-stores'
import { operationsOf } from 'svc-stores/plugin'
import {
  after,
  all,
  atLeast,
  atMost,
  type Database,
  not,
  oneOf,
  purge,
  type Table,
  type TablePlan
} from 'svc-stores/table'
import type { HeldJob, NewJob, OutcomeBatch, PendingJobs, Queue, QueueCounts } from '../queue.ts'
import { LaneGrants } from './lane-grants.ts'
import { WorkerTable } from './worker-table.ts'

type TableNames = Required<Pick<TablePlan, 'name' | 'collection' | 'record'>>

/** Names of the tables that hold a shared queue. They cannot change once they are published. */
export interface QueueTables {
  /** The name of the store in options, logs and listings. */
  readonly brick: string
  readonly jobs: TableNames
  readonly workers: TableNames
  /** Absent: workers share no limits of lanes. */
  readonly lanes?: TableNames
}

/** The columns bear the names of the first queue that was released: its lanes are endpoints, its payloads events. */
interface Row {
  readonly id: string
  /** The lane. */
  readonly endpointId: string
  /** The payload. */
  readonly event: string
  /** Null without a trace, and in rows of earlier versions. */
  readonly traceparent: string | null
  readonly attempts: number
  /** The worker; empty without one. Never null, so that every engine reads the index in order. */
  readonly holder: string
  /** Epoch ms of the next attempt. `AT_ONCE` comes before all others. */
  readonly dueAt: number
  /** Epoch ms. */
  readonly admittedAt: number
}

const NO_WORKER = ''
const AT_ONCE = 0

const planOf = (names: TableNames): TablePlan => ({
  ...names,
  columns: [
    { name: 'id', type: 'text' },
    { name: 'endpointId', type: 'text' },
    { name: 'event', type: 'text' },
    { name: 'traceparent', type: 'text', nullable: true },
    { name: 'attempts', type: 'integer' },
    { name: 'holder', type: 'text' },
    { name: 'dueAt', type: 'integer' },
    { name: 'admittedAt', type: 'integer' }
  ],
  indexes: [
    { columns: ['holder', 'endpointId', 'dueAt', 'admittedAt'], name: 'by_turn' },
    { columns: ['holder', 'dueAt'], name: 'by_due' },
    { columns: ['admittedAt'], name: 'by_admission' }
  ]
})

const BY_WORKER = [{ field: 'holder', direction: 'ASC' }] as const
const BY_LANE = [{ field: 'endpointId', direction: 'ASC' }] as const
const BY_DUE = [{ field: 'dueAt', direction: 'ASC' }] as const
const BY_LANE_AND_DUE = [...BY_LANE, ...BY_DUE] as const
const BY_ADMISSION = [{ field: 'admittedAt', direction: 'ASC' }] as const
/** Within a lane: jobs that are due at once have one time, and go oldest first. */
const BY_TURN = [...BY_DUE, ...BY_ADMISSION] as const

/** Lanes that one claim looks at; the next claim continues from there. */
const VISITED_AT_ONCE = 64

export class TableQueue implements Queue {
  readonly #clock: Clock
  readonly #rows: Table<Row>
  readonly #workers: WorkerTable
  readonly #grants: LaneGrants | null
  readonly #plan: TablePlan
  /** The lane that was visited last. */
  #visited = ''

  constructor(database: Database, clock: Clock, tables: Omit<QueueTables, 'brick'>) {
    this.#clock = clock
    this.#plan = planOf(tables.jobs)
    this.#rows = database.table(this.#plan)
    this.#grants = tables.lanes === undefined ? null : new LaneGrants(database, tables.lanes)
    this.#workers = new WorkerTable(database, tables.workers, {
      workers: () => this.#holders(),
      release: (worker) => this.#rows.update({ holder: worker }, { set: { holder: NO_WORKER } })
    })
  }

  async admit(worker: string, jobs: readonly NewJob[]): Promise<readonly string[]> {
    const now = this.#clock.now()
    const rows = jobs.map(({ id, lane, payload, traceparent = null, delayMs = 0, held }) => {
      const [holder, dueAt] = [held ? worker : NO_WORKER, now + delayMs]
      return { id, endpointId: lane, event: payload, traceparent, attempts: 0, holder, dueAt, admittedAt: now }
    })
    const created = await this.#rows.insertNew(rows)
    const wanted = jobs.filter(({ held }) => held).map(({ id }) => id)
    if (created === rows.length || wanted.length === 0) return wanted
    const ours = await this.#rows.find({ id: oneOf(wanted), holder: worker }, { without: ['event'] })
    return ours.map(({ id }) => id)
  }

  async claim(
    worker: string,
    limit: number,
    room: (lane: string) => number,
    most: (lane: string) => number = () => Number.POSITIVE_INFINITY
  ): Promise<readonly HeldJob[]> {
    const now = this.#clock.now()
    const claimed: Row[] = []
    const visit = async ({ endpointId, dueAt }: Row) => {
      const wanted = dueAt > now ? 0 : Math.min(room(endpointId), limit - claimed.length)
      if (wanted <= 0) return
      const allowed = most(endpointId)
      const lane = { endpointId, now, worker }
      const taken =
        allowed === Number.POSITIVE_INFINITY || this.#grants === null
          ? await claimOf(this.#rows, lane, wanted)
          : await this.#grants.alone(endpointId, async (database) => {
              const rows = database.table<Row>(this.#plan)
              const held = await rows.count({ endpointId, holder: not(NO_WORKER) })
              return held >= allowed ? [] : claimOf(rows, lane, Math.min(wanted, allowed - held))
            })
      claimed.push(...taken)
    }
    // The job that has waited longest comes first, so that no number of lanes before it delays it for ever.
    const [first] = await this.#rows.find({ holder: NO_WORKER }, { order: BY_DUE, limit: 1, without: ['event'] })
    if (first === undefined || first.dueAt > now) return []
    await visit(first as Row)
    const visited = new Set([first.endpointId])
    for (let wraps = 0; claimed.length < limit && visited.size < VISITED_AT_ONCE && wraps < 2; ) {
      const next = await this.#laneAfter(this.#visited)
      this.#visited = next?.endpointId ?? ''
      if (next === undefined) wraps += 1
      else if (next.endpointId !== first.endpointId) {
        if (visited.has(next.endpointId)) break
        visited.add(next.endpointId)
        await visit(next)
      }
    }
    claimed.sort((a, b) => a.dueAt - b.dueAt || a.admittedAt - b.admittedAt)
    return claimed.map(heldJob)
  }

  heartbeat(worker: string): Promise<boolean> {
    return this.#workers.heartbeat(worker)
  }

  async settle(worker: string, { ended, retried, released }: OutcomeBatch): Promise<void> {
    if (ended.length > 0) await this.#rows.delete({ id: oneOf(ended) })
    const now = this.#clock.now()
    // One write for all that are alike.
    const alike = Map.groupBy(retried, ({ attempts, delayMs }) => `${attempts} ${delayMs}`)
    for (const [key, group] of alike) {
      const [attempts = 0, delayMs = 0] = key.split(' ').map(Number)
      const id = oneOf(group.map((retry) => retry.id))
      await this.#rows.update({ id, holder: worker }, { set: { holder: NO_WORKER, attempts, dueAt: now + delayMs } })
    }
    if (released.length === 0) return
    await this.#rows.update({ id: oneOf(released), holder: worker }, { set: { holder: NO_WORKER } })
  }

  async reschedule(lane: string, limit: number): Promise<number> {
    const later = { holder: NO_WORKER, endpointId: lane, dueAt: atLeast(AT_ONCE + 1) }
    const rows = await this.#rows.find(later, { order: BY_TURN, limit, without: ['event'] })
    const id = oneOf(rows.map((row) => row.id))
    if (rows.length > 0) await this.#rows.update({ id, holder: NO_WORKER }, { set: { dueAt: AT_ONCE } })
    return rows.length
  }

  discard(lane: string): Promise<number> {
    return purge(this.#rows, { holder: NO_WORKER, endpointId: lane })
  }

  async counts(): Promise<QueueCounts> {
    const [total, held, [oldest]] = await Promise.all([
      this.#rows.count({}),
      this.#rows.count({ holder: not(NO_WORKER) }),
      this.#rows.find({}, { order: BY_ADMISSION, limit: 1, without: ['event'] })
    ])
    const oldestMs = oldest === undefined ? null : Math.max(0, this.#clock.now() - oldest.admittedAt)
    return { waiting: Math.max(0, total - held), held, oldestMs }
  }

  async pending(lane: string, limit: number): Promise<PendingJobs> {
    const free = { holder: NO_WORKER, endpointId: lane }
    const [waiting, rows, holders] = await Promise.all([
      this.#rows.count(free),
      this.#rows.find(free, { order: BY_TURN, limit }),
      this.#holders()
    ])
    const held = await Promise.all(holders.map((holder) => this.#rows.count({ holder, endpointId: lane })))
    const next = rows.map((row) => ({ ...heldJob(row), dueAt: row.dueAt === AT_ONCE ? row.admittedAt : row.dueAt }))
    return { waiting, held: held.reduce((sum, count) => sum + count, 0), next }
  }

  leave(worker: string): Promise<void> {
    return this.#workers.leave(worker)
  }

  /** The workers that hold jobs. One read for each. */
  async #holders(): Promise<readonly string[]> {
    const holders: string[] = []
    for (let last = NO_WORKER; ; ) {
      const where = after<Row>(BY_WORKER, { holder: last } as Row)
      const [row] = await this.#rows.find(where, { order: BY_WORKER, limit: 1, without: ['event'] })
      if (row === undefined) return holders
      last = row.holder
      holders.push(last)
    }
  }

  async #laneAfter(lane: string): Promise<Row | undefined> {
    const where = after<Row>(BY_LANE, { endpointId: lane } as Row)
    const [row] = await this.#rows.find(all({ holder: NO_WORKER }, where), {
      order: BY_LANE_AND_DUE,
      limit: 1,
      without: ['event']
    })
    return row
  }
}

interface Claimed {
  readonly endpointId: string
  readonly now: number
  readonly worker: string
}

/** Takes due jobs of a lane. */
function claimOf(rows: Table<Row>, { endpointId, now, worker }: Claimed, wanted: number): Promise<Row[]> {
  const due = { holder: NO_WORKER, endpointId, dueAt: atMost(now) }
  return rows.claim(due, { set: { holder: worker } }, wanted, BY_TURN)
}

function heldJob({ id, endpointId, event, traceparent, attempts }: Row): HeldJob {
  return { id, lane: endpointId, payload: event, attempts, ...(traceparent !== null && { traceparent }) }
}

/** A queue in tables of a package's own, for every engine that has the storage port. */
export function queueStore({ brick, ...tables }: QueueTables): StoreDefinition<Queue> {
  return {
    brick,
    operations: operationsOf(TableQueue),
    open: (database, { clock }) => new TableQueue(database, clock, tables),
    check: (queue) => queue.counts()
  }
}
