/** How long one waits after so many failures in a row. Pure. */

export interface Backoff {
  /** Failures that cost nothing. */
  readonly freeAttempts: number
  /** Seconds after the first one beyond; doubles with each further one. */
  readonly baseDelayS: number
  /** No delay is longer, in seconds. */
  readonly capDelayS: number
}

/** @returns seconds; 0 while attempts are free */
export function delayAfter(failures: number, { freeAttempts, baseDelayS, capDelayS }: Backoff): number {
  const beyond = failures - freeAttempts
  if (beyond <= 0) return 0
  // 2 ** 1024 is no number any more; long before that the cap holds.
  return Math.min(capDelayS, baseDelayS * 2 ** Math.min(beyond - 1, 52))
}
