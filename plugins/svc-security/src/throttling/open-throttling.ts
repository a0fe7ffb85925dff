/** Opens the login throttle from the options, with a counter that does not fail. */
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Clock, inProduction, type Problem, warnAtBoot } from 'svc-kernel'
import { readableError } from '../journal/audit-writer.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { type AttemptCounter, type Count, MemoryCounter } from './attempt-counter.ts'
import { LoginThrottler } from './login-throttler.ts'

const MORE = 'npx svc-cli docs logging-in'

/** No fault of one instance, which is what cannot be seen from here: an information, not a warning. */
const LOCAL: Problem = {
  code: 'SVC_SEC_THROTTLE_LOCAL',
  message: 'login attempts are counted by each instance for itself, and forgotten at a restart',
  at: 'svc-security.parts.attempts',
  fix: 'with more than one instance, give it a limiter of rate-limiter-flexible',
  more: MORE
}

const OFF: Problem = {
  code: 'SVC_SEC_NO_THROTTLE',
  message: 'guessing at passwords and codes is not slowed down',
  at: 'svc-security.rateLimit.enabled',
  fix: 'leave it on',
  more: MORE
}

export interface ThrottlingSetting {
  readonly config: Pick<SecurityConfig, 'rateLimit'>
  readonly parts: SvcSecurityParts
  readonly clock: Clock
}

export interface OpenThrottling {
  /** Counts attempts of any kind; does not fail. */
  readonly counter: AttemptCounter
  /** `null` where `rateLimit.enabled` is false. */
  readonly throttler: LoginThrottler | null
}

export function openThrottling(
  fastify: FastifyInstance,
  { config, parts: { attempts }, clock }: ThrottlingSetting
): OpenThrottling {
  const { enabled, ...backoff } = config.rateLimit
  const { log } = fastify
  if (inProduction(fastify)) {
    const { message, ...fields } = LOCAL
    if (!enabled) warnAtBoot(fastify, OFF)
    else if (attempts === undefined) log.info(fields, message)
  }
  const insurance = new MemoryCounter(clock)
  const counter = attempts === undefined ? insurance : new InsuredCounter({ counter: attempts, insurance, log })
  return { counter, throttler: enabled ? new LoginThrottler(backoff, counter, clock) : null }
}

export interface InsuredCounterParts {
  readonly counter: AttemptCounter
  readonly insurance: AttemptCounter
  readonly log: FastifyBaseLogger
}

/**
 * A counter with one in memory behind it, which counts while the first fails: a lost database never means unlimited
 * guesses. Logged once per outage.
 */
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
      const fields = { code: 'SVC_SEC_THROTTLE_STORE', error: readableError(error) }
      if (!this.#insured) log.error(fields, 'the counter of login attempts failed; they are counted in memory')
      this.#insured = true
      return question(insurance)
    }
  }
}
