/** A clock that moves when it is told to. */
import type { Clock } from 'svc-kernel'

export class ManualClock implements Clock {
  #now = 1_700_000_000_000
  #timers = new Map<object, { at: number; work: () => void }>()

  now(): number {
    return this.#now
  }

  setTimeout(work: () => void, ms: number): unknown {
    const handle = {}
    this.#timers.set(handle, { at: this.#now + ms, work })
    return handle
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as object)
  }

  get timers(): number {
    return this.#timers.size
  }

  /** Moves on and runs what became due, in order. */
  advance(ms: number): void {
    const until = this.#now + ms
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= until).sort((a, b) => a[1].at - b[1].at)[0]
      if (due === undefined) break
      this.#timers.delete(due[0])
      this.#now = due[1].at
      due[1].work()
    }
    this.#now = until
  }
}
