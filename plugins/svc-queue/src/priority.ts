/**
 * How soon a job has its turn in its lane. Priorities age: each step is worth ten minutes of waiting, so that a job waits
 * for later ones of a higher priority only so long. Pure.
 */

import type { Priority } from 'svc-kernel'

export type { Priority }

/** The highest first. */
export const PRIORITIES: readonly Priority[] = ['urgent', 'high', 'normal', 'low']

export const NORMAL: Priority = 'normal'

/** What one step is worth, ms. */
export const STEP_MS = 600_000

const STEPS: Readonly<Record<Priority, number>> = { urgent: 2, high: 1, normal: 0, low: -1 }

/** @param dueAt epoch ms @returns a moment, epoch ms; of two jobs that are due, the one with the earlier turn goes first */
export function turnOf(dueAt: number, priority: Priority): number {
  return dueAt - STEPS[priority] * STEP_MS
}

/** @returns when a job of this priority is due that has this turn, epoch ms */
export function dueBy(turn: number, priority: Priority): number {
  return turn + STEPS[priority] * STEP_MS
}
