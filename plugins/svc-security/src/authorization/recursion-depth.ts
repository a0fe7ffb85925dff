/**
 * How deep decisions are nested, as a voter may itself ask the jury. Counted on
 * the stack while voters answer at once; carried by AsyncLocalStorage below
 * voters known to answer later, since only there the stack is gone.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const MAX_DEPTH = 8

export class RecursionDepth {
  readonly #carried = new AsyncLocalStorage<number>()
  #carrying = false
  #onStack = 0

  /** The level of a decision that starts now, or `null` when it would be too deep. */
  next(): number | null {
    const carried = this.#carrying ? (this.#carried.getStore() ?? 0) : 0
    const level = Math.max(carried, this.#onStack) + 1
    return level > MAX_DEPTH ? null : level
  }

  /** Enters the synchronous part of a decision. @returns what `leave` takes, in a `finally` */
  enter(level: number): number {
    const outer = this.#onStack
    this.#onStack = level
    return outer
  }

  leave(outer: number): void {
    this.#onStack = outer
  }

  /** Runs a voter that answers later, so that what it asks after a pause still knows its level. */
  carry<T>(level: number, work: () => T): T {
    this.#carrying = true
    return this.#carried.run(level, work)
  }
}
