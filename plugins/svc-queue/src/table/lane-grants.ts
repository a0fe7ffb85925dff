/**
 * How many jobs of a lane with limits a worker may take. What workers hold is counted in the rows that are held, and what
 * is spent of a rate is in the row of the lane, in a transaction that changes that row first: of workers that ask at once,
 * one counts after the other. No lease ends while a job runs: what a worker holds counts until it says how that ended, or
 * has expired.
 *
 * A worker that dies or hangs in such a transaction leaves the row of its lane locked: MongoDB ends it after a minute. Others
 * pass that lane over, and try it once at each claim, so that all other lanes go on.
 */
import { setTimeout } from 'node:timers/promises'
import type { Clock } from 'svc-kernel'
import { TransactionConflict } from 'svc-stores'
import { all, type Database, JoinedDatabase, type Table } from 'svc-stores/table'
import type { SharedLaneLimits } from '../lanes.ts'
import { intervalUs, LaneRates, unitsOf, waitMs } from './lane-rates.ts'
import { freshLane, type LaneRow, lanePlan } from './lane-table.ts'
import { HELD, QueueRows, type Row, type TableNames } from './queue-rows.ts'

export interface GrantTables {
  readonly jobs: TableNames
  readonly lanes: TableNames
}

/** What a worker asks for. */
export interface GrantAsk {
  readonly lane: string
  readonly limits: SharedLaneLimits
  /** How many jobs it has room for; at least 1. */
  readonly wanted: number
  /** Takes so many, and no more, from the rows that it gets. */
  readonly take: (rows: QueueRows, count: number) => Promise<readonly Row[]>
}

export interface Granted {
  readonly taken: readonly Row[]
  /** Ms until the rate lets another job through; 0 where it does not hold any back. */
  readonly laterMs: number
}

/** Rows that are written at a time when a worker leaves. */
const LEFT_AT_ONCE = 100
/** How long a claim tries for a lane that other workers ask for too, ms. */
const PATIENCE_MS = 500
const LONGEST_PAUSE_MS = 20

export class LaneGrants {
  readonly #database: Database
  readonly #tables: GrantTables
  readonly #rows: QueueRows
  readonly #clock: Clock
  readonly #rates = new LaneRates()
  /** Lanes whose row stayed locked for so long. */
  readonly #stuck = new Set<string>()

  /** @param rows outside of any transaction */
  constructor(database: Database, tables: GrantTables, rows: QueueRows, clock: Clock) {
    this.#database = database
    this.#rows = rows
    this.#tables = tables
    this.#clock = clock
  }

  async take({ lane, limits, wanted, take }: GrantAsk): Promise<Granted> {
    const { concurrent = UNLIMITED, rate } = limits
    const knownMs = rate === undefined ? 0 : this.#rates.known(lane, rate, this.#clock.now())
    // Others can only have spent more.
    if (knownMs > 0) return { taken: [], laterMs: knownMs }
    // A full lane is only read: most looks at a busy one find it full, and its row is for those who may get something.
    if (concurrent !== UNLIMITED && (await held(this.#rows, lane)) >= concurrent) return NOTHING
    const grant = await this.#alone(lane, async (lanes, row, database) => {
      const rows = new QueueRows(database, this.#tables.jobs, true)
      const now = this.#clock.now()
      const leftUs = rate === undefined ? 0 : this.#rates.left(lane, rate, row, now)
      const units = rate === undefined ? wanted : unitsOf(rate, leftUs)
      const isRead = !row.paused && units > 0 && concurrent !== UNLIMITED
      const count = row.paused ? 0 : Math.min(wanted, units, concurrent - (isRead ? await held(rows, lane) : 0))
      const taken = count > 0 ? await take(rows, count) : []
      const granted = row.granted + taken.length
      if (rate === undefined || row.paused) return { taken, spent: null }
      const spentUs = leftUs + taken.length * intervalUs(rate)
      if (taken.length > 0) await lanes.update({ id: lane }, { set: { granted, spentUs } })
      return { taken, spent: { granted, spentUs, at: now } }
    })
    if (grant === null) return NOTHING
    const { taken, spent } = grant
    if (rate === undefined || spent === null) return { taken, laterMs: 0 }
    if (taken.length > 0) this.#rates.note(lane, spent, spent.at)
    return { taken, laterMs: taken.length === wanted ? 0 : waitMs(rate, spent.spentUs) }
  }

  /** What this process knows is paid back is written down, for those that come after it. */
  async leave(): Promise<void> {
    const known = [...this.#rates.paidBack(this.#clock.now())]
    const lanes = this.#database.table<LaneRow>(lanePlan(this.#tables.lanes))
    for (let first = 0; first < known.length; first += LEFT_AT_ONCE) {
      const some = known.slice(first, first + LEFT_AT_ONCE)
      await Promise.all(some.map(([id, { granted, spentUs }]) => lanes.update({ id, granted }, { min: { spentUs } })))
    }
  }

  /** @param work counts and claims in the database that it gets @returns `null` while another worker has the row locked */
  async #alone<T>(lane: string, work: LaneWork<T>): Promise<T | null> {
    const end = this.#stuck.has(lane) ? 0 : performance.now() + PATIENCE_MS
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await this.#once(lane, work)
        this.#stuck.delete(lane)
        return result
      } catch (error) {
        if (!(error instanceof TransactionConflict)) throw error
      }
      if (performance.now() >= end) {
        this.#stuck.add(lane)
        return null
      }
      await setTimeout(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS))
    }
  }

  /** @throws TransactionConflict where another worker has the row locked */
  #once<T>(lane: string, work: LaneWork<T>): Promise<T> {
    const database = this.#database
    const inside = async (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => {
      const joined = new JoinedDatabase(database, tx)
      const lanes = joined.table<LaneRow>(lanePlan(this.#tables.lanes))
      // A locked row is not waited for.
      const lock = async () => (await lanes.claim({ id: lane }, { add: { turns: 1 } }, 1))[0]
      let row = await lock()
      // An insert would wait for it too.
      if (row === undefined && !(await lanes.exists({ id: lane }))) {
        await lanes.insertNew([freshLane(lane)])
        row = await lock()
      }
      if (row === undefined) throw new TransactionConflict()
      // Documents that were written before there were rates have neither.
      const { granted, spentUs, ...rest } = row
      return work(lanes, { ...rest, granted: granted ?? 0, spentUs: spentUs ?? 0 }, joined)
    }
    // Each statement sees what was committed before it: the count, what the worker before has claimed.
    return database.transaction(inside, { isolation: 'read committed', retry: false })
  }
}

type LaneWork<T> = (lanes: Table<LaneRow>, row: LaneRow, database: Database) => Promise<T>

const UNLIMITED = Number.POSITIVE_INFINITY

/** How many jobs of a lane workers hold. */
function held({ table }: QueueRows, lane: string): Promise<number> {
  return table.count(all({ endpointId: lane }, HELD))
}

const NOTHING: Granted = { taken: [], laterMs: 0 }
