/** Time as a part that can be replaced: wherever time matters, a plugin takes `parts.clock`. */

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  setTimeout(work: () => void, ms: number): unknown
  clearTimeout(handle: unknown): void
}

/** The machine's clock. Its timers never keep the process alive. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  setTimeout: (work: () => void, ms: number) => setTimeout(work, ms).unref(),
  clearTimeout: (handle: unknown) => {
    clearTimeout(handle as NodeJS.Timeout)
  }
})
