/** How long a retry waits: 5 s doubled per attempt, at most 300 s, without jitter (spec, "Constants"). Pure. */

const FIRST_MS = 5_000
/** No retry waits longer. */
export const LONGEST_BACKOFF_MS = 300_000

/** @param failures attempts that have failed so far, at least 1 */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS)
}
