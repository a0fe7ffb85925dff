/**
 * What is spent of budgets, for all instances of an application: a row for each key, with its theoretical arrival time.
 * A call is one conditional step, of which the database lets no more through than the budget holds: `add` where the key
 * has something to pay back, `put` where it has nothing.
 */
import type { Clock } from 'svc-kernel'
import type { StoreDefinition, StoreParts } from 'svc-stores'
import { operationsOf } from 'svc-stores/plugin'
import { above, all, atMost, type Database, purge, type Table, type TablePlan } from 'svc-stores/table'
import { type Pace, type Spent, wholeOf } from '../limit/gcra.ts'
import type { LimitsStore, Spending } from './limits-store.ts'
import { MemoryLimitsStore } from './memory-limits-store.ts'

interface BudgetRow {
  /** Name and caller. */
  readonly id: string
  readonly name: string
  readonly caller: string
  /** Epoch microseconds. */
  readonly tat: number
  /** When all is paid back at the latest: the end of an hour, epoch ms. */
  readonly expiresAt: number
}

const plan: TablePlan = {
  name: 'svc_rate_limit',
  collection: 'rate_limit',
  record: 'limits',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'name', type: 'text' },
    { name: 'caller', type: 'text' },
    { name: 'tat', type: 'integer' },
    { name: 'expiresAt', type: 'integer' }
  ],
  // None has the time that each call moves: PostgreSQL then writes no index, and never reads a range of times for a key.
  indexes: [
    { columns: ['expiresAt'], name: 'by_expiry' },
    { columns: ['name'], name: 'by_name' }
  ]
}

/** Clocks of instances may differ by this much. A time further ahead was written by a clock that was set back since. */
const TOLERANCE_US = 5_000_000

const HOUR_MS = 3_600_000

export class TableLimitsStore implements LimitsStore {
  readonly #clock: Clock
  readonly #budgets: Table<BudgetRow>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#budgets = database.table(plan)
  }

  async take(name: string, caller: string, pace: Pace, cost: number, standing = false): Promise<Spent> {
    const id = idOf(name, caller)
    const now = this.#now()
    const whole = wholeOf(pace)
    const step = cost * pace.intervalUs
    const expiresAt = endOfHour((now + whole) / 1000)
    const moved = { add: { tat: step }, max: { expiresAt } }
    const fits = all<BudgetRow>({ id, tat: above(now) }, { tat: atMost(now + whole - step) })
    for (let adds = standing; ; adds = true) {
      const row = adds ? await this.#budgets.updateOne(fits, moved) : null
      if (row !== null) return { taken: true, aheadUs: row.tat - now }
      const begun = await this.#budgets.put(
        { id, name, caller, tat: now + step, expiresAt },
        { guard: { tat: atMost(now) } }
      )
      if (begun !== null) return { taken: true, aheadUs: step }
      if (!adds) continue
      const ahead = ((await this.#budgets.findOne({ id }))?.tat ?? now) - now
      // What another call has changed between the steps may fit.
      if (ahead + step <= whole) continue
      if (ahead > whole + TOLERANCE_US) await this.#shorten(id, now + whole)
      return { taken: false, aheadUs: Math.min(ahead, whole) }
    }
  }

  async giveBack(name: string, caller: string, { intervalUs }: Pace, cost: number): Promise<void> {
    const spent = { id: idOf(name, caller), tat: above(this.#now()) }
    await this.#budgets.update(spent, { add: { tat: -cost * intervalUs } })
  }

  async spending(name: string, count: number): Promise<readonly Spending[]> {
    const now = this.#now()
    const order = [{ field: 'tat', direction: 'DESC' }] as const
    const rows = await this.#budgets.find({ name, tat: above(now) }, { order, limit: count })
    return rows.map(({ caller, tat }) => ({ caller, aheadUs: tat - now }))
  }

  /** Not before every instance finds that they have nothing to pay back. */
  purge(): Promise<number> {
    return purge(this.#budgets, { expiresAt: atMost((this.#now() - TOLERANCE_US) / 1000) })
  }

  /** The clock was set back: nobody waits for longer than the limit says. */
  async #shorten(id: string, tat: number): Promise<void> {
    await this.#budgets.update({ id, tat: above(tat + TOLERANCE_US) }, { set: { tat } })
  }

  #now(): number {
    return this.#clock.now() * 1000
  }
}

/** @param at epoch ms */
function endOfHour(at: number): number {
  return Math.ceil(at / HOUR_MS) * HOUR_MS
}

/** A line break is part of no name. */
function idOf(name: string, caller: string): string {
  return `${name}\n${caller}`
}

/** The definition of the store, which `fastify.stores.select` and `inMemory` open. */
export const limitsStore: StoreDefinition<LimitsStore> = {
  brick: 'limits',
  operations: operationsOf(TableLimitsStore),
  open: (database, parts) => new TableLimitsStore(database, parts),
  inMemory: ({ clock }) => new MemoryLimitsStore(clock),
  check: (store) => store.spending('health', 1)
}
