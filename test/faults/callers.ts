/**
 * Requests that go on while a campaign strikes, some at a time. Each phase of it has so many at most: on a slow machine a
 * phase takes longer, and must not leave more work behind than on a quick one.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export interface CallersPlan {
  /** Requests under way at a time. */
  readonly callers: number
  /** Of each caller between two requests, ms. */
  readonly pauseMs: number
  /** Requests until the next phase begins; absent: as many as there is time for. */
  readonly perPhase?: number
}

const REFUSED_PAUSE_MS = 20

export class Callers {
  refused = 0
  readonly #ask: (count: number) => Promise<boolean>
  readonly #perPhase: number
  readonly #callers: Promise<void>[]
  #running = true
  #count = 0
  #left: number

  /** They begin at once. @param ask resolves to whether the request of that number, from 1, was acknowledged */
  constructor(
    { callers, pauseMs, perPhase = Number.POSITIVE_INFINITY }: CallersPlan,
    ask: (count: number) => Promise<boolean>
  ) {
    this.#ask = ask
    this.#perPhase = perPhase
    this.#left = perPhase
    this.#callers = Array.from({ length: callers }, () => this.#call(pauseMs))
  }

  /** The next phase begins. */
  next(): void {
    this.#left = this.#perPhase
  }

  /** Resolves when the last answer is there. */
  async stop(): Promise<void> {
    this.#running = false
    await Promise.all(this.#callers)
  }

  async #call(pauseMs: number): Promise<void> {
    while (this.#running) {
      if (this.#left > 0) {
        this.#left -= 1
        this.#count += 1
        if (!(await this.#ask(this.#count))) {
          this.refused += 1
          await sleep(REFUSED_PAUSE_MS)
        }
      }
      await sleep(pauseMs)
    }
  }
}
