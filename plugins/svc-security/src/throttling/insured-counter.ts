/**
 * A counter elsewhere with one in memory behind it: a lost database never means unlimited guesses, and never a login that
 * waits for it. Each question has a deadline. One that fails begins an outage, in which memory answers at once; every
 * second or so a question that nobody waits for finds out whether it is over. Logged when it begins and when it ends.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { isAnnounced, withTimeout } from 'svc-kernel/plugin'
import { readableError } from '../journal/audit-writer.ts'
import { type AttemptCounter, type Count, countsOf } from './attempt-counter.ts'

/** How long an answer may take, in ms: a login asks a handful one after the other, and the first that is late is the last. */
const DEADLINE_MS = 1_000

/** Between two questions whether the outage is over, in ms. */
const PROBE_MS = 1_000

export interface InsuredCounterParts {
  readonly counter: AttemptCounter
  readonly insurance: AttemptCounter
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export class InsuredCounter implements AttemptCounter {
  readonly #parts: InsuredCounterParts
  /** Epoch ms of the next question whether the outage is over; `null` while there is none. */
  #probeAt: number | null = null
  #probing = false

  constructor(parts: InsuredCounterParts) {
    this.#parts = parts
  }

  get(key: string): Promise<Count | null> {
    return this.#ask((counter) => counter.get(key))
  }

  getAll(keys: readonly string[]): Promise<readonly (Count | null)[]> {
    return this.#ask((counter) => countsOf(counter, keys))
  }

  penalty(key: string, points?: number, options?: { readonly customDuration?: number }): Promise<Count> {
    return this.#ask((counter) => counter.penalty(key, points, options))
  }

  set(key: string, points: number, secDuration: number): Promise<Count> {
    return this.#ask((counter) => counter.set(key, points, secDuration))
  }

  delete(key: string): Promise<boolean> {
    return this.#ask((counter) => counter.delete(key))
  }

  async #ask<T>(question: (counter: AttemptCounter) => Promise<T>): Promise<T> {
    const { insurance } = this.#parts
    if (this.#probeAt !== null) {
      this.#probe(this.#probeAt)
      return question(insurance)
    }
    try {
      return await this.#inTime(question)
    } catch (error) {
      this.#lost(error)
      return question(insurance)
    }
  }

  #inTime<T>(question: (counter: AttemptCounter) => Promise<T>): Promise<T> {
    const { counter, clock } = this.#parts
    const late = () => new Error(`no answer within ${DEADLINE_MS} ms`)
    return withTimeout(DEADLINE_MS, clock, () => question(counter), late)
  }

  #lost(error: unknown): void {
    const { clock, log } = this.#parts
    const fields = { code: 'SVC_SEC_THROTTLE_STORE', error: readableError(error) }
    // A database says itself that it is gone.
    const level = isAnnounced(error) ? 'warn' : 'error'
    if (this.#probeAt === null) log[level](fields, 'the store of login attempts failed; attempts are counted in memory')
    this.#probeAt = clock.now() + PROBE_MS
  }

  #probe(due: number): void {
    const { clock, log } = this.#parts
    const wait = due - clock.now()
    // Longer than it was meant to be: the clock was set back.
    if (this.#probing || (wait > 0 && wait <= PROBE_MS)) return
    this.#probing = true
    this.#inTime((counter) => counter.get('probe'))
      .then(
        () => {
          this.#probeAt = null
          log.info({ code: 'SVC_SEC_THROTTLE_STORE' }, 'the store of login attempts answers again')
        },
        (error: unknown) => this.#lost(error)
      )
      .finally(() => {
        this.#probing = false
      })
  }
}
