/** What an instance does with a schedule at a moment: the next state of its row, and the job that goes with it. Pure. */
import type { Calendar } from './calendar.ts'
import { type DueSlots, dueSlots, MOST_SLOTS } from './due-slots.ts'
import type { CatchUp, Overlap } from './schedule-options.ts'
import type { ScheduleRecord } from './schedule-record.ts'

/** How a release wants its slots to be treated. */
export interface SlotRules {
  /** Of the calendar: rows with another text are left alone. */
  readonly text: string
  readonly calendar: Calendar
  readonly catchUp: CatchUp
  readonly overlap: Overlap
}

/** A change of the row, and of jobs, in one step. */
export interface ScheduleMove {
  readonly change: Partial<Omit<ScheduleRecord, 'name' | 'revision' | 'lastJob'>>
  /** The slot that gets a job now. */
  readonly slot: number | null
  /** The job of the earlier slot is cancelled. */
  readonly cancels: boolean
  /** How many slots found no room among those that wait. */
  readonly dropped: number
}

/** @returns what is due; a schedule that is paused makes no slots */
export function dueOf({ calendar, catchUp }: SlotRules, record: ScheduleRecord, now: number): DueSlots | null {
  return dueSlots(calendar, record.decidedUntil, now, record.paused ? null : catchUp)
}

/**
 * @param due as `dueOf` answers @param isOpen whether the job of the last slot has not ended
 * @returns `null`: nothing is to be done
 */
export function moveOf(
  { overlap }: Pick<SlotRules, 'overlap'>,
  record: ScheduleRecord,
  due: DueSlots | null,
  isOpen: boolean
): ScheduleMove | null {
  const decided = due === null ? {} : { decidedUntil: due.until, question: null }
  const slots = due?.slots ?? []
  // Slots that wait keep their turn, also once a release says otherwise.
  if (overlap === 'queue' || record.waiting.length > 0) {
    const move = queued([...record.waiting, ...slots], !isOpen && !record.paused)
    return move.slot === null && due === null ? null : { ...move, change: { ...decided, ...move.change } }
  }
  if (due === null) return null
  const move = overlap === 'cancel' ? cancelling(slots, isOpen) : skipping(slots, isOpen)
  return { ...move, change: { ...decided, ...move.change } }
}

function queued(slots: readonly number[], isFree: boolean): ScheduleMove {
  const [slot = null] = isFree ? slots : []
  const rest = slots.slice(slot === null ? 0 : 1)
  const waiting = rest.slice(-MOST_SLOTS)
  return { change: { waiting, ...made(slot) }, slot, cancels: false, dropped: rest.length - waiting.length }
}

/** The last slot cancels those before it. */
function cancelling(slots: readonly number[], isOpen: boolean): ScheduleMove {
  const slot = slots.at(-1) ?? null
  return { change: { ...made(slot), ...passed(slots.at(-2)) }, slot, cancels: isOpen && slot !== null, dropped: 0 }
}

/** The first slot gets a job, which those after it find. */
function skipping(slots: readonly number[], isOpen: boolean): ScheduleMove {
  const [first = null, ...rest] = slots
  const slot = isOpen ? null : first
  const skipped = isOpen ? slots.at(-1) : rest.at(-1)
  return { change: { ...made(slot), ...passed(skipped) }, slot, cancels: false, dropped: 0 }
}

function made(slot: number | null): Pick<ScheduleMove['change'], 'lastSlot'> {
  return slot === null ? {} : { lastSlot: slot }
}

function passed(slot: number | undefined): Pick<ScheduleMove['change'], 'lastSkipped'> {
  return slot === undefined ? {} : { lastSkipped: slot }
}
