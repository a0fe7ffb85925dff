/** A clock that stands still until it is told to ring: deadlines without waiting. */
import type { Clock } from 'svc-kernel'

export class ManualClock implements Clock {
  readonly #timers = new Map<object, { work: () => void; ms: number }>()

  /** Timers armed and neither rung nor cancelled. */
  get armed(): number[] {
    return [...this.#timers.values()].map(({ ms }) => ms)
  }

  now(): number {
    return 0
  }

  setTimeout(work: () => void, ms: number): object {
    const handle = {}
    this.#timers.set(handle, { work, ms })
    return handle
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as object)
  }

  /** Lets every armed timer ring. */
  ring(): void {
    const due = [...this.#timers.values()]
    this.#timers.clear()
    for (const { work } of due) work()
  }
}
