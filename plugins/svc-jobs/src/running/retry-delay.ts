/** How long a job waits before its next attempt: twice as long after each failure, and varied, so that what failed together does not come back together. Pure. */

const FIRST_MS = 1_000
/** Six hours. */
const LONGEST_MS = 21_600_000
/** A wait is up to a quarter longer. */
const SPREAD = 0.25

/** @param failures from 1 @param random from 0 to below 1 @returns ms */
export function retryDelayMs(failures: number, random: number): number {
  const doubled = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS)
  return Math.round(doubled * (1 + random * SPREAD))
}
