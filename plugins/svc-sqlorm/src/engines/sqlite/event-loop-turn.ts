/**
 * Whose turn it is on the event loop. `node:sqlite` answers before it returns, and a caller that awaits one statement
 * after the other never lets go of the thread: once statements have run for as long as a turn may take, the next ones
 * wait until timers, sockets and other requests had theirs. Waiting ones go on in order, one in each turn of the loop.
 */

/** How long statements may run in one turn, in milliseconds. */
const BUDGET_MS = 5

export class EventLoopTurn {
  readonly #now: () => number
  readonly #waiting: (() => void)[] = []
  /** When the first statement of this turn came; `null` before it. */
  #began: number | null = null
  #askedAt = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether a statement has to wait for `next`. Cheap: it runs before every statement. */
  isOver(): boolean {
    this.#askedAt = this.#now()
    if (this.#began !== null) return this.#askedAt - this.#began > BUDGET_MS
    this.#began = this.#askedAt
    setImmediate(this.#begin)
    return false
  }

  /** Time of the process of the last call of `isOver`, in milliseconds. */
  get askedAt(): number {
    return this.#askedAt
  }

  /** Resolves in a later turn of the loop, as the first that runs in it. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /** After the loop has looked at its sockets. Whoever has waited longest begins; its statements count at once. */
  readonly #begin = (): void => {
    const first = this.#waiting.shift()
    this.#began = first === undefined ? null : this.#now()
    if (first === undefined) return
    setImmediate(this.#begin)
    first()
  }
}
