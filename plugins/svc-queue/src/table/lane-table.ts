/**
 * The rows of lanes: what is paused, and what is spent of rates. A lane that has neither limits nor was ever paused has no
 * row. Pauses are read once a second, so that a claim of jobs without limits asks nothing more.
 */
import type { Clock } from 'svc-kernel'
import { after, all, compareHeld, type Database, type Table, type TablePlan, type Where } from 'svc-stores/table'
import type { LaneControl, LaneListing, LaneState } from '../lanes.ts'
import type { Spending } from './lane-rates.ts'
import { HELD, NO_WORKER, type QueueRows, type Row, type TableNames } from './queue-rows.ts'

export interface LaneRow extends Spending {
  readonly id: string
  /** How often the lane was asked for. */
  readonly turns: number
  readonly paused: boolean
}

/** How old what is known of pauses may be, ms. */
const KNOWN_MS = 1_000

export function lanePlan(names: TableNames): TablePlan {
  return {
    ...names,
    columns: [
      { name: 'id', type: 'text' },
      { name: 'turns', type: 'integer' },
      { name: 'paused', type: 'boolean', default: false },
      { name: 'granted', type: 'integer', default: 0 },
      { name: 'spentUs', type: 'integer', default: 0 }
    ],
    indexes: [{ columns: ['paused', 'id'], name: 'by_pause' }]
  }
}

/** A lane as it is before it was asked for. */
export const freshLane = (id: string): LaneRow => ({ id, turns: 0, paused: false, granted: 0, spentUs: 0 })

export class LaneTable implements LaneControl {
  readonly #rows: QueueRows
  readonly #lanes: Table<LaneRow>
  readonly #clock: Clock
  #paused: ReadonlySet<string> = new Set()
  /** Epoch ms; `null` before the first read. */
  #knownAt: number | null = null

  constructor(database: Database, names: TableNames, rows: QueueRows, clock: Clock) {
    this.#lanes = database.table(lanePlan(names))
    this.#rows = rows
    this.#clock = clock
  }

  /** Lanes that are paused, as they were within the last second. */
  async paused(): Promise<ReadonlySet<string>> {
    const now = this.#clock.now()
    if (this.#knownAt === null || Math.abs(now - this.#knownAt) >= KNOWN_MS) {
      this.#paused = new Set((await this.#lanes.find({ paused: true })).map(({ id }) => id))
      this.#knownAt = now
    }
    return this.#paused
  }

  pause(lane: string): Promise<void> {
    return this.#set(lane, true)
  }

  resume(lane: string): Promise<void> {
    return this.#set(lane, false)
  }

  async #set(id: string, paused: boolean): Promise<void> {
    const row = { ...freshLane(id), paused }
    await this.#lanes.put(row, { change: { set: { paused } } })
    this.#knownAt = null
  }

  async list({ limit, after: last = '' }: LaneListing): Promise<readonly LaneState[]> {
    const behind = after<Row>([{ field: 'endpointId', direction: 'ASC' }], { endpointId: last } as Row)
    const now = this.#clock.now()
    const measures = {
      jobs: { of: 'count' },
      since: { of: 'min', column: 'admittedAt', where: [{ field: 'dueAt', operator: 'lte', value: now }] }
    } as const
    const grouped = async (where: Where<Row>) => {
      const groups = await this.#rows.table.group(all(where, behind), { by: ['endpointId'], measures, limit })
      return new Map(groups.map(({ endpointId, jobs, since }) => [String(endpointId), { jobs: Number(jobs), since }]))
    }
    const named = after<LaneRow>([{ field: 'id', direction: 'ASC' }], { id: last } as LaneRow)
    const [waiting, held, rows] = await Promise.all([
      grouped({ holder: NO_WORKER }),
      grouped(HELD),
      this.#lanes.find(all({ paused: true }, named), { limit })
    ])
    const paused = new Set(rows.map(({ id }) => id))
    const lanes = [...new Set([...waiting.keys(), ...held.keys(), ...paused])].sort(compareHeld).slice(0, limit)
    return lanes.map((lane) => {
      const since = waiting.get(lane)?.since ?? null
      return {
        lane,
        paused: paused.has(lane),
        waiting: waiting.get(lane)?.jobs ?? 0,
        held: held.get(lane)?.jobs ?? 0,
        oldestMs: since === null ? null : Math.max(0, now - Number(since))
      }
    })
  }
}
