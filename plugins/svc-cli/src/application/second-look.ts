/**
 * The watcher keeps to itself a second change of a file within 50 ms of the
 * first, such as a formatter's after a save. So each changed file is looked at
 * once more when that time is over, and what was missed is told.
 */
import { statSync } from 'node:fs'

/** A little more than the watcher's own silence, in milliseconds. */
const LATER_MS = 75

export class SecondLook {
  readonly #missed: (path: string) => void
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(missed: (path: string) => void) {
    this.#missed = missed
  }

  /** Call when the watcher tells of a change, before the file is read. */
  note(path: string): void {
    clearTimeout(this.#timers.get(path))
    const seen = stampOf(path)
    const timer = setTimeout(() => {
      this.#timers.delete(path)
      if (stampOf(path) !== seen) this.#missed(path)
    }, LATER_MS)
    this.#timers.set(path, timer.unref())
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}

/** Time to the nanosecond and size; a file that is gone has none. */
function stampOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.mtimeNs} ${stat.size}`
}
