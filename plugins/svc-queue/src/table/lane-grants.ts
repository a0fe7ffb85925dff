/**
 * How many jobs of a lane with limits a worker may take. What workers hold is counted in the rows that are held, and what
 * is spent of a rate is in the row of the lane, in a transaction that changes that row first: of workers that ask at once,
 * one counts after the other. No lease ends while a job runs: what a worker holds counts until it says how that ended, or
 * has expired.
 */
import type { Clock } from 'svc-kernel'
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

export class LaneGrants {
  readonly #database: Database
  readonly #tables: GrantTables
  readonly #clock: Clock
  readonly #rates = new LaneRates()

  constructor(database: Database, tables: GrantTables, clock: Clock) {
    this.#database = database
    this.#tables = tables
    this.#clock = clock
  }

  async take({ lane, limits, wanted, take }: GrantAsk): Promise<Granted> {
    const { concurrent = Number.POSITIVE_INFINITY, rate } = limits
    const knownMs = rate === undefined ? 0 : this.#rates.known(lane, rate, this.#clock.now())
    // Others can only have spent more.
    if (knownMs > 0) return { taken: [], laterMs: knownMs }
    const { taken, spent } = await this.#alone(lane, async (lanes, row, database) => {
      const rows = new QueueRows(database, this.#tables.jobs, true)
      const now = this.#clock.now()
      const leftUs = rate === undefined ? 0 : this.#rates.left(lane, rate, row, now)
      const units = rate === undefined ? wanted : unitsOf(rate, leftUs)
      const isRead = !row.paused && units > 0 && concurrent !== Number.POSITIVE_INFINITY
      const held = isRead ? await rows.table.count(all({ endpointId: lane }, HELD)) : 0
      const count = row.paused ? 0 : Math.min(wanted, units, concurrent - held)
      const taken = count > 0 ? await take(rows, count) : []
      const granted = row.granted + taken.length
      if (rate === undefined || row.paused) return { taken, spent: null }
      const spentUs = leftUs + taken.length * intervalUs(rate)
      if (taken.length > 0) await lanes.update({ id: lane }, { set: { granted, spentUs } })
      return { taken, spent: { granted, spentUs, at: now } }
    })
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

  /** @param work counts and claims in the database that it gets */
  #alone<T>(lane: string, work: (lanes: Table<LaneRow>, row: LaneRow, database: Database) => Promise<T>): Promise<T> {
    const database = this.#database
    const inside = async (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => {
      const joined = new JoinedDatabase(database, tx)
      const lanes = joined.table<LaneRow>(lanePlan(this.#tables.lanes))
      const lock = () => lanes.updateOne({ id: lane }, { add: { turns: 1 } })
      let row = await lock()
      if (row === null) {
        // Where another worker made the row meanwhile, it is there now, and waited for.
        await lanes.insertNew([freshLane(lane)])
        row = await lock()
      }
      // Documents that were written before there were rates have neither.
      const { granted, spentUs, ...rest } = row ?? freshLane(lane)
      return work(lanes, { ...rest, granted: granted ?? 0, spentUs: spentUs ?? 0 }, joined)
    }
    // Each statement sees what was committed before it: the count, what the worker before has claimed.
    return database.transaction(inside, { isolation: 'read committed' })
  }
}
