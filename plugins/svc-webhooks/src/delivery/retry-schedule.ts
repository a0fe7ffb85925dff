/**
 * When a delivery is tried again. In memory: after a wait that doubles. In a queue that survives restarts: by a schedule
 * that reaches over days, spread. Later, if the receiver asks for it. Pure.
 */
import { type AttemptEnd, askedDelayMs, retryDue } from './attempt.ts'

export interface RetryPolicy {
  /** @param failures attempts that have failed, from 1 @param now epoch ms @returns ms from now; `null` if no attempt is left */
  delayMs(failures: number, end: AttemptEnd, now: number): number | null
}

export interface Schedule {
  /** Seconds before each retry. */
  readonly retryScheduleS: readonly number[]
  /** From 0 to below 1. */
  readonly random?: () => number
}

export function doublingRetries(maxRetries: number): RetryPolicy {
  return { delayMs: (failures, end, now) => (failures > maxRetries ? null : retryDue(failures, end, now) - now) }
}

export function scheduledRetries({ retryScheduleS, random = Math.random }: Schedule): RetryPolicy {
  return { delayMs: (failures, end, now) => retryDelayMs(retryScheduleS, failures, end, now, random) }
}

/** A wait is up to a tenth longer, in so many steps: what failed together does not come back together, in few writes. */
const STEPS = 8
const SPREAD = 0.1

/**
 * @param schedule seconds before each retry @param failures attempts that have failed, from 1 @param now epoch ms
 * @param random from 0 to below 1
 * @returns ms from now; `null` when no attempt is left
 */
export function retryDelayMs(
  schedule: readonly number[],
  failures: number,
  end: AttemptEnd,
  now: number,
  random: () => number
): number | null {
  const step = schedule[failures - 1]
  if (step === undefined) return null
  const spread = step * 1000 * (1 + (Math.floor(random() * (STEPS + 1)) / STEPS) * SPREAD)
  // A receiver that asks for more than the longest wait would never get it.
  const asked = Math.min(askedDelayMs(end, now), Math.max(...schedule) * 1000)
  return Math.round(Math.max(spread, asked))
}
