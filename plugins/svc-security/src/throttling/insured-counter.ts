/**
 * A counter with one in memory behind it, which counts while the first fails:
 * a lost database never means unlimited guesses. Told in the log once per outage.
 */
import type { FastifyBaseLogger } from 'fastify'
import { readableError } from '../journal/readable-error.ts'
import type { AttemptCounter, Count } from './attempt-counter.ts'

export interface InsuredCounterParts {
  readonly counter: AttemptCounter
  readonly insurance: AttemptCounter
  readonly log: FastifyBaseLogger
}

export class InsuredCounter implements AttemptCounter {
  readonly #parts: InsuredCounterParts
  #insured = false

  constructor(parts: InsuredCounterParts) {
    this.#parts = parts
  }

  get(key: string): Promise<Count | null> {
    return this.#ask((counter) => counter.get(key))
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
    const { counter, insurance, log } = this.#parts
    try {
      const answer = await question(counter)
      this.#insured = false
      return answer
    } catch (error) {
      const told = { code: 'SVC_SEC_THROTTLE_STORE', error: readableError(error) }
      if (!this.#insured) log.error(told, 'the counter of login attempts failed; they are counted in memory')
      this.#insured = true
      return question(insurance)
    }
  }
}
