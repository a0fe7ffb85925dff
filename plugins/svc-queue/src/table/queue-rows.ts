/**
 * The rows of jobs, and the order in which they have their turn: by priority where the queue has lanes, each priority in
 * the order of its index. No turn is stored, so that none is rewritten while a job waits.
 */
import {
  after,
  all,
  atLeast,
  atMost,
  type Database,
  type FirstOfEach,
  isNull,
  type Order,
  type Table,
  type TablePlan,
  type Where
} from 'svc-stores/table'
import { dueBy, NORMAL, PRIORITIES, type Priority, turnOf } from '../priority.ts'

export type TableNames = Required<Pick<TablePlan, 'name' | 'collection' | 'record'>>

/** The columns bear the names of the first queue that was released: its lanes are endpoints, its payloads events. */
export interface Row {
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
  /** Absent in a queue that has no table of lanes. */
  readonly priority?: Priority
  /** How often a worker expired, or left, with it. Absent in a queue that has no table of lanes, and in documents of earlier versions. */
  readonly lapses?: number
}

export const NO_WORKER = ''
export const AT_ONCE = 0

export const BY_DUE = [{ field: 'dueAt', direction: 'ASC' }] as const
const BY_ADMISSION = [{ field: 'admittedAt', direction: 'ASC' }] as const
/** Within a lane and a priority: jobs that are due at once have one time, and go oldest first. */
export const BY_TURN = [...BY_DUE, ...BY_ADMISSION] as const

/** Rows that a worker holds. A range of the index, which `not(NO_WORKER)` is not. */
export const HELD: Where<Row> = after<Row>([{ field: 'holder', direction: 'ASC' }], { holder: NO_WORKER } as Row)

const COLUMNS = [
  { name: 'id', type: 'text' },
  { name: 'endpointId', type: 'text' },
  { name: 'event', type: 'text' },
  { name: 'traceparent', type: 'text', nullable: true },
  { name: 'attempts', type: 'integer' },
  { name: 'holder', type: 'text' },
  { name: 'dueAt', type: 'integer' },
  { name: 'admittedAt', type: 'integer' }
] as const

const planOf = (names: TableNames): TablePlan => ({
  ...names,
  columns: COLUMNS,
  indexes: [
    { columns: ['holder', 'endpointId', 'dueAt', 'admittedAt'], name: 'by_turn' },
    { columns: ['holder', 'dueAt'], name: 'by_due' },
    { columns: ['admittedAt'], name: 'by_admission' }
  ]
})

const planWithPriorities = (names: TableNames): TablePlan => ({
  ...names,
  columns: [
    ...COLUMNS,
    { name: 'priority', type: 'text', default: NORMAL },
    { name: 'lapses', type: 'integer', default: 0 }
  ],
  indexes: [
    { columns: ['holder', 'endpointId', 'priority', 'dueAt', 'admittedAt'], name: 'by_priority' },
    { columns: ['holder', 'priority', 'dueAt'], name: 'by_due_of_priority' }
  ]
})

export class QueueRows {
  readonly plan: TablePlan
  readonly table: Table<Row>
  readonly hasPriorities: boolean

  constructor(database: Database, names: TableNames, hasPriorities: boolean) {
    this.hasPriorities = hasPriorities
    this.plan = hasPriorities ? planWithPriorities(names) : planOf(names)
    this.table = database.table(this.plan)
  }

  /** Documents that were written before there were priorities have none, whatever the default of the column. */
  async adopt(): Promise<void> {
    if (this.hasPriorities) await this.table.update({ priority: isNull }, { set: { priority: NORMAL } })
  }

  /**
   * When the job was admitted that has been there longest, epoch ms; `null` without one. A queue with lanes reads all rows for
   * it, as a count does: each claim would write to an index.
   */
  async admittedFirst(): Promise<number | null> {
    if (!this.hasPriorities) {
      const [oldest] = await this.table.find({}, { order: BY_ADMISSION, limit: 1, without: ['event'] })
      return oldest?.admittedAt ?? null
    }
    const [all] = await this.table.group({}, { by: [], measures: { first: { of: 'min', column: 'admittedAt' } } })
    return (all?.first as number | null | undefined) ?? null
  }

  /** The first rows of each priority, all of them by their turn. @param limit of each */
  async first(where: Where<Row>, limit: number, order: Order = BY_TURN, without: readonly 'event'[] = ['event']) {
    if (!this.hasPriorities) return this.table.find(where, { order, limit, without })
    const each: FirstOfEach = { column: 'priority', values: PRIORITIES, limit }
    return (await this.table.find(where, { order, each, without })).sort(byTurn)
  }

  /**
   * Takes rows of a lane that are due.
   *
   * @param heads the first of each priority that is due, by their turn: one priority goes on until the next one's turn
   */
  async take(heads: readonly Row[], { worker, now }: { worker: string; now: number }, wanted: number): Promise<Row[]> {
    const taken: Row[] = []
    for (const [place, { endpointId, priority, dueAt }] of heads.entries()) {
      const next = heads[place + 1]
      const until = next === undefined ? now : Math.min(now, dueBy(turnOfRow(next), priority ?? NORMAL))
      const of = { holder: NO_WORKER, endpointId, ...(priority !== undefined && { priority }) }
      // From the head on, so that rows of before which are only dead are not read.
      const due = all<Row>({ ...of, dueAt: atLeast(dueAt) }, { dueAt: atMost(until) })
      taken.push(...(await this.table.claim(due, { set: { holder: worker } }, wanted - taken.length, BY_TURN)))
      if (taken.length >= wanted) break
    }
    return taken
  }
}

export function turnOfRow({ dueAt, priority = NORMAL }: Row): number {
  return turnOf(dueAt, priority)
}

export function byTurn(a: Row, b: Row): number {
  return turnOfRow(a) - turnOfRow(b) || a.admittedAt - b.admittedAt
}
