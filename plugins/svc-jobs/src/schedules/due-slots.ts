/** Which slots of a schedule get a job at a moment, and whether others are passed over. Pure. */
import type { Calendar } from './calendar.ts'
import type { CatchUp } from './schedule-options.ts'

/** A slot that is due for longer was missed: no instance looked. */
export const GRACE_MS = 60_000

/** The most slots that are caught up, or wait for the job before them. */
export const MOST_SLOTS = 1000

export interface DueSlots {
  /** Epoch ms, oldest first. */
  readonly slots: readonly number[]
  /** Slots before these were missed, and get no job. */
  readonly passesOver: boolean
  /** Epoch ms of the last slot that is due. */
  readonly until: number
}

/** @param after epoch ms: slots up to it have been decided @param catchUp `null`: no slot gets a job @returns `null`: none is due */
export function dueSlots(calendar: Calendar, after: number, now: number, catchUp: CatchUp | null): DueSlots | null {
  const first = calendar.next(after)
  if (first === null || first > now) return null
  const [until = first] = calendar.last(now, 1)
  const graceStart = now - GRACE_MS
  const isLate = first < graceStart
  if (catchUp === null) return { slots: [], passesOver: isLate, until }
  if (catchUp === 'all') {
    const missed = slotsBetween(calendar, after, now)
    const passesOver = missed.length > MOST_SLOTS
    return { slots: passesOver ? calendar.last(now, MOST_SLOTS) : missed, passesOver, until }
  }
  const slots = slotsBetween(calendar, Math.max(after, graceStart - 1), now)
  if (slots.length > 0 || catchUp === 'none') return { slots, passesOver: isLate, until }
  return { slots: [until], passesOver: first < until, until }
}

/** One more than is allowed, where there are too many. */
function slotsBetween(calendar: Calendar, after: number, until: number): readonly number[] {
  const slots: number[] = []
  for (let slot = calendar.next(after); slot !== null && slot <= until; slot = calendar.next(slot)) {
    if (slots.push(slot) > MOST_SLOTS) break
  }
  return slots
}
