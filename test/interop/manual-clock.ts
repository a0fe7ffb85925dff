/** A clock that stands still until it is told to ring: deadlines without waiting. */
import type { Clock } from 'svc-kernel'

export class ManualClock implements Clock {
  readonly #timers = new Map<object, () => void>()
  #armed: (() => void) | null = null

  now(): number {
    return 0
  }

  setTimeout(work: () => void): object {
    const handle = {}
    this.#timers.set(handle, work)
    this.#armed?.()
    return handle
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as object)
  }

  /** Timers armed and neither rung nor cancelled. */
  get armed(): number {
    return this.#timers.size
  }

  /** Resolves once a timer is armed. */
  async whenArmed(): Promise<void> {
    if (this.#timers.size > 0) return
    await new Promise<void>((resolve) => {
      this.#armed = resolve
    })
  }

  /** Lets every armed timer ring. */
  ring(): void {
    const due = [...this.#timers.values()]
    this.#timers.clear()
    for (const work of due) work()
  }
}
