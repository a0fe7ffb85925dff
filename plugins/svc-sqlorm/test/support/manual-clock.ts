/** A clock that stands still until it is moved: what falls due rings in order. */
import type { Clock } from 'svc-kernel'

interface Timer {
  readonly at: number
  readonly work: () => void
}

export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>()
  #now = 1_000_000

  now(): number {
    return this.#now
  }

  setTimeout(work: () => void, ms: number): Timer {
    const timer = { at: this.#now + ms, work }
    this.#timers.add(timer)
    return timer
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as Timer)
  }

  get armed(): number {
    return this.#timers.size
  }

  advance(ms: number): void {
    this.#now += ms
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)
    for (const timer of due) if (this.#timers.delete(timer)) timer.work()
  }
}
