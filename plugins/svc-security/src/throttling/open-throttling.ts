/**
 * Opens the login throttle from the options: its counts are in a limiter of the application's own, else in the store of
 * the brick, else in memory, which takes over while either fails.
 */
import type { FastifyInstance } from 'fastify'
import { type Clock, inProduction, type Problem, warnAtBoot } from 'svc-kernel'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { type AttemptCounter, MemoryCounter } from './attempt-counter.ts'
import { type AttemptsStore, attemptsStore } from './attempts-store.ts'
import { InsuredCounter } from './insured-counter.ts'
import { LoginThrottler } from './login-throttler.ts'
import { StoredCounter } from './stored-counter.ts'

const PURGE_INTERVAL_S = 600

const MORE = 'npx svc docs logging-in'

/** No fault of one instance, which is what cannot be seen from here: an information, not a warning. */
const LOCAL: Problem = {
  code: 'SVC_SEC_THROTTLE_LOCAL',
  message: 'each instance counts login attempts on its own and forgets them at a restart',
  at: 'svc-security.rateLimit.store',
  fix: 'with several instances, set rateLimit.store to a database, or set parts.attempts',
  more: MORE
}

const OFF: Problem = {
  code: 'SVC_SEC_NO_THROTTLE',
  message: 'password guessing is not throttled',
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

export function openThrottling(fastify: FastifyInstance, { config, parts, clock }: ThrottlingSetting): OpenThrottling {
  const { enabled, store: configured, ...backoff } = config.rateLimit
  const memory = new MemoryCounter(clock)
  const elsewhere = parts.attempts ?? (enabled ? storedCounter(fastify, { configured, parts, clock }) : null)
  if (inProduction(fastify)) {
    const { message, ...fields } = LOCAL
    if (!enabled) warnAtBoot(fastify, OFF)
    else if (elsewhere === null) fastify.log.info(fields, message)
  }
  if (elsewhere === null) return opened(memory, {})
  const counter = new InsuredCounter({ counter: elsewhere, insurance: memory, clock, log: fastify.log })
  // A question costs a limiter little, and a database a statement.
  return opened(counter, parts.attempts === undefined ? { slots: new MemoryCounter(clock) } : {})

  function opened(counter: AttemptCounter, { slots = counter }: { slots?: AttemptCounter }): OpenThrottling {
    return { counter, throttler: enabled ? new LoginThrottler(backoff, { counter, slots, clock }) : null }
  }
}

interface StoreSetting {
  readonly configured: string
  readonly parts: Pick<SvcSecurityParts, 'stores'>
  readonly clock: Clock
}

/** @returns `null` where the counts are in memory anyway */
function storedCounter(fastify: FastifyInstance, { configured, parts, clock }: StoreSetting): AttemptCounter | null {
  const { store, driver } = fastify.stores.select<AttemptsStore>(attemptsStore, configured, parts.stores?.attempts)
  if (store === null || driver === 'memory') return null
  const { brick } = attemptsStore
  const work = () => store.purge()
  fastify.maintenance.declare({ name: 'login-attempts', store: brick, everyS: PURGE_INTERVAL_S, clock, work })
  return new StoredCounter(store, clock)
}
