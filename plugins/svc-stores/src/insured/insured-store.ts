/**
 * A store with something in its place while it does not answer. Each question has a deadline. One that fails, or is late,
 * begins an outage, in which the replacement answers at once; every second or so a question that nobody waits for finds
 * out whether it is over. Logged when it begins and when it ends.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock, MaybePromise } from 'svc-kernel'
import { isAnnounced, readableError, withTimeout } from 'svc-kernel/plugin'

/** Between two questions whether the outage is over, in ms. */
const PROBE_MS = 1_000

export interface InsuredStoreParts<Store> {
  readonly store: Store
  /** How long an answer may take, in ms: the first that is late is the last. */
  readonly deadlineMs: number
  /** Cheap, and without effect: whether the store answers again. */
  readonly probe: (store: Store) => MaybePromise<unknown>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** Of both lines of the log. */
  readonly code: string
  /** What the store is called in the log: `the store of login attempts`. */
  readonly name: string
  /** What happens during an outage, for the log: `attempts are counted in memory`. */
  readonly meanwhile: string
}

export class InsuredStore<Store> {
  readonly #parts: InsuredStoreParts<Store>
  /** Epoch ms of the next question whether the outage is over; `null` while there is none. */
  #probeAt: number | null = null
  #probing = false

  constructor(parts: InsuredStoreParts<Store>) {
    this.#parts = parts
  }

  /** @param instead answers during an outage @throws what `instead` throws, never what the store throws */
  async ask<T>(question: (store: Store) => MaybePromise<T>, instead: () => MaybePromise<T>): Promise<T> {
    if (this.#probeAt !== null) {
      this.#probe(this.#probeAt)
      return instead()
    }
    try {
      return await this.#inTime(question)
    } catch (error) {
      this.#lost(error)
      return instead()
    }
  }

  #inTime<T>(question: (store: Store) => MaybePromise<T>): Promise<T> {
    const { store, clock, deadlineMs } = this.#parts
    const late = () => new Error(`no answer within ${deadlineMs} ms`)
    return withTimeout(deadlineMs, clock, () => question(store), late)
  }

  #lost(error: unknown): void {
    const { clock, log, code, name, meanwhile } = this.#parts
    // A database says itself that it is gone.
    const level = isAnnounced(error) ? 'warn' : 'error'
    if (this.#probeAt === null) log[level]({ code, error: readableError(error) }, `${name} failed; ${meanwhile}`)
    this.#probeAt = clock.now() + PROBE_MS
  }

  #probe(due: number): void {
    const { clock, log, code, name, probe } = this.#parts
    const wait = due - clock.now()
    // Longer than it was meant to be: the clock was set back.
    if (this.#probing || (wait > 0 && wait <= PROBE_MS)) return
    this.#probing = true
    this.#inTime(probe)
      .then(
        () => {
          this.#probeAt = null
          log.info({ code }, `${name} answers again`)
        },
        (error: unknown) => this.#lost(error)
      )
      .finally(() => {
        this.#probing = false
      })
  }
}
