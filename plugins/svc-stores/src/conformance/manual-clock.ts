/** A clock that stands still until it is told to move. Timers run in order of their time, inside `advance`. */
import type { Clock } from 'svc-kernel'

interface Timer {
  readonly at: number
  readonly work: () => void
}

export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>()
  #now: number

  /** @param start epoch ms */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size
  }

  now(): number {
    return this.#now
  }

  setTimeout(work: () => void, ms: number): unknown {
    const timer = { at: this.#now + ms, work }
    this.#timers.add(timer)
    return timer
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as Timer)
  }

  advance(ms: number): void {
    const end = this.#now + ms
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#timers.delete(timer)
      this.#now = timer.at
      timer.work()
    }
    this.#now = end
  }

  #next(end: number): Timer | undefined {
    const due = [...this.#timers].filter(({ at }) => at <= end)
    return due.sort((a, b) => a.at - b.at)[0]
  }
}
