/**
 * What the login throttle counts with: the part of rate-limiter-flexible's limiters
 * that it needs, so that any of them (Redis, SQL, documents) can stand behind it.
 */

export interface Count {
  readonly consumedPoints: number
  /** Until the count is forgotten; -1 for never. */
  readonly msBeforeNext: number
}

export interface AttemptCounter {
  get(key: string): Promise<Count | null>
  /** Adds to the count of a key and keeps the end of its time. A new one lasts `customDuration` seconds. */
  penalty(key: string, points?: number, options?: { readonly customDuration?: number }): Promise<Count>
  set(key: string, points: number, secDuration: number): Promise<Count>
  delete(key: string): Promise<boolean>
}
