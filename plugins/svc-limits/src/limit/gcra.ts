/**
 * The generic cell rate algorithm. A key has one value, its theoretical arrival time (TAT): the moment at which all that
 * it has spent is paid back. A call moves it by one interval for each unit of its cost, and is refused where it would
 * then lie further ahead than the whole budget. All times are microseconds. Pure.
 */

/** How fast a budget fills, and how much it holds. */
export interface Pace {
  /** Microseconds in which one unit is paid back. */
  readonly intervalUs: number
  /** Units that may be spent at once. */
  readonly burst: number
}

/** What a call has done to a budget. */
export interface Spent {
  /** `false`: nothing was spent. */
  readonly taken: boolean
  /** Microseconds until all that was spent is paid back. */
  readonly aheadUs: number
}

/** @returns the whole budget, in microseconds */
export function wholeOf({ intervalUs, burst }: Pace): number {
  return intervalUs * burst
}

/**
 * Spends `cost` of a budget.
 *
 * @param tat of the key, epoch microseconds; one beyond the whole budget was written by a clock that was set back since
 */
export function spend(tat: number, now: number, pace: Pace, cost: number): Spent {
  const whole = wholeOf(pace)
  const ahead = Math.min(Math.max(tat - now, 0), whole)
  const next = ahead + cost * pace.intervalUs
  return next > whole ? { taken: false, aheadUs: ahead } : { taken: true, aheadUs: next }
}

/** @returns how many units may be spent at once now */
export function remaining(aheadUs: number, pace: Pace): number {
  return Math.max(0, Math.floor((wholeOf(pace) - aheadUs) / pace.intervalUs))
}

/** @returns microseconds until `cost` can be spent; 0 where it can be now */
export function waitFor(aheadUs: number, pace: Pace, cost: number): number {
  return Math.max(0, aheadUs + cost * pace.intervalUs - wholeOf(pace))
}

/** Whole seconds, rounded up. */
export function seconds(us: number): number {
  return Math.ceil(us / 1_000_000)
}
