/** Time as a part that can be replaced: wherever time matters, a plugin takes `parts.clock`. */

/** The time, for code that a test moves by hand: `systemClock`, or `ManualClock` of svc-test. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** A wait beyond `LONGEST_TIMER_MS` ends there: a wait for a date has to check the date again. */
  setTimeout(work: () => void, ms: number): unknown
  clearTimeout(handle: unknown): void
}

/** The longest wait of a Node timer, 24.8 days. A longer one would not wait at all: Node makes it 1 ms. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The machine's clock. Its timers never keep the process alive. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  setTimeout: (work: () => void, ms: number) => setTimeout(work, Math.min(ms, LONGEST_TIMER_MS)).unref(),
  clearTimeout: (handle: unknown) => {
    clearTimeout(handle as NodeJS.Timeout)
  }
})

/**
 * Waits for the work at most this long: otherwise it would keep whoever waits. A late answer is ignored.
 *
 * @param work begins in a promise, so that one that throws at once is one that rejects @param late makes the error
 * @throws what the work throws, or `late`
 */
export function withTimeout<Value>(
  ms: number,
  clock: Clock,
  work: () => Value | Promise<Value>,
  late: () => Error
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(late()), ms)
    Promise.resolve()
      .then(work)
      .then(resolve, reject)
      .finally(() => clock.clearTimeout(timer))
  })
}
