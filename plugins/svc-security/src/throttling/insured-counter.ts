/**
 * A counter elsewhere with one in memory behind it: a lost database never means unlimited guesses, and never a login that
 * waits for it.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from 'svc-kernel'
import { InsuredStore } from 'svc-stores/plugin'
import { type AttemptCounter, type Count, countsOf } from './attempt-counter.ts'

/** How long an answer may take, in ms: a login asks a handful one after the other, and the first that is late is the last. */
const DEADLINE_MS = 1_000

export interface InsuredCounterParts {
  readonly counter: AttemptCounter
  readonly insurance: AttemptCounter
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export class InsuredCounter implements AttemptCounter {
  readonly #insurance: AttemptCounter
  readonly #insured: InsuredStore<AttemptCounter>

  constructor({ counter, insurance, clock, log }: InsuredCounterParts) {
    this.#insurance = insurance
    this.#insured = new InsuredStore({
      store: counter,
      deadlineMs: DEADLINE_MS,
      probe: (counter) => counter.get('probe'),
      clock,
      log,
      code: 'SVC_SEC_THROTTLE_STORE',
      name: 'the store of login attempts',
      meanwhile: 'attempts are counted in memory'
    })
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

  #ask<T>(question: (counter: AttemptCounter) => Promise<T>): Promise<T> {
    return this.#insured.ask(question, () => question(this.#insurance))
  }
}
