/** A schedule as its table has it: one row for each name, which every instance reads and changes by its revision. */
import type { TablePlan } from 'svc-stores/table'

export interface ScheduleRecord {
  readonly name: string
  /** The text in force. */
  readonly cron: string
  readonly zone: string
  /** Texts that were in force before, latest first: an older release has them. */
  readonly former: readonly string[]
  /** Epoch ms: every slot up to it has been decided, later ones have not. */
  readonly decidedUntil: number
  /** Epoch ms of the last slot that got a job; `null` before the first. */
  readonly lastSlot: number | null
  /** Epoch ms of the last slot that got none, as an earlier job had not ended. */
  readonly lastSkipped: number | null
  readonly lastJob: string | null
  /** Epoch ms of slots that wait for the job before them, oldest first. */
  readonly waiting: readonly number[]
  readonly paused: boolean
  /** What an instance is about to do unless another one objects; `null`: nothing. */
  readonly question: string | null
  /** One more after each change. */
  readonly revision: number
}

export const schedulePlan: TablePlan = {
  name: 'svc_job_schedule',
  collection: 'job_schedule',
  record: 'schedule',
  key: ['name'],
  columns: [
    { name: 'name', type: 'text' },
    { name: 'cron', type: 'text' },
    { name: 'zone', type: 'text' },
    { name: 'former', type: 'document' },
    { name: 'decidedUntil', type: 'time' },
    { name: 'lastSlot', type: 'time', nullable: true },
    { name: 'lastSkipped', type: 'time', nullable: true },
    { name: 'lastJob', type: 'text', nullable: true },
    { name: 'waiting', type: 'document' },
    { name: 'paused', type: 'boolean' },
    { name: 'question', type: 'text', nullable: true },
    { name: 'revision', type: 'integer' }
  ]
}

/** What a release says of when a schedule is due, as a text to compare. */
export function textOf({ cron, zone }: Pick<ScheduleRecord, 'cron' | 'zone'>): string {
  return `${zone} ${cron}`
}

/** A schedule that is new: its first slot is the next one. @param now epoch ms */
export function freshRecord(name: string, cron: string, zone: string, now: number): ScheduleRecord {
  return {
    name,
    cron,
    zone,
    former: [],
    decidedUntil: now,
    lastSlot: null,
    lastSkipped: null,
    lastJob: null,
    waiting: [],
    paused: false,
    question: null,
    revision: 0
  }
}
