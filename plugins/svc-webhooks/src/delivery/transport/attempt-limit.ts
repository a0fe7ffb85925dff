/**
 * The end of an attempt from outside: its deadline, or the transport closing.
 * One limit covers all steps of an attempt, each of which says how it is
 * stopped while it runs.
 */
import type { Clock } from 'svc-kernel'

export type LimitReason = 'timeout' | 'closed'

/** Why a step of an attempt was stopped. */
export class LimitReached extends Error {
  readonly reason: LimitReason

  constructor(reason: LimitReason) {
    super(reason)
    this.reason = reason
  }
}

export class AttemptLimit {
  readonly #clock: Clock
  readonly #timer: unknown
  #reached: LimitReached | null = null
  #stop: ((why: LimitReached) => void) | null = null

  constructor(clock: Clock, deadlineMs: number) {
    this.#clock = clock
    this.#timer = clock.setTimeout(() => this.reach('timeout'), deadlineMs)
  }

  /** Stops the step that runs; the first reason stands. */
  reach(reason: LimitReason): void {
    if (this.#reached !== null) return
    this.#reached = new LimitReached(reason)
    this.#stop?.(this.#reached)
  }

  /** How the step that begins now is stopped; at once where the limit is reached already. */
  whenReached(stop: (why: LimitReached) => void): void {
    this.#stop = stop
    if (this.#reached !== null) stop(this.#reached)
  }

  /** Waits for work that cannot be stopped, and not beyond the limit. What it gives later is ignored. */
  during<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.whenReached(reject)
      work.then(resolve, reject)
    })
  }

  /** The attempt is over: nothing is stopped any more. */
  release(): void {
    this.#stop = null
    this.#clock.clearTimeout(this.#timer)
  }
}
