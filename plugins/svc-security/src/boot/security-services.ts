/**
 * What the parts of this plugin share where it keeps accounts: found by authenticator
 * factories and by routes on the instance, under a symbol that no application uses.
 */
import type { FastifyInstance } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { CsrfGuard } from '../cross-origin/csrf-guard.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { LoginCompletion } from '../login/login-completion.ts'
import type { PasswordLogin } from '../login/password-login.ts'
import type { SecondFactors } from '../login/second-factors.ts'
import type { SecurityConfig } from '../options.ts'
import type { SessionService } from '../sessions/session-service.ts'
import type { AttemptCounter } from '../throttling/attempt-counter.ts'
import type { LoginThrottler } from '../throttling/login-throttler.ts'
import type { UserSource } from '../users/user-source.ts'

export interface SecurityServices {
  readonly config: SecurityConfig
  readonly clock: Clock
  readonly journal: SecurityJournal
  readonly users: UserSource
  /** Counts attempts of any kind; does not fail. */
  readonly counter: AttemptCounter
  /** `null` where `rateLimit.enabled` is false. */
  readonly throttler: LoginThrottler | null
  readonly login: PasswordLogin
  readonly sessions: SessionService
  readonly csrf: CsrfGuard
  readonly factors: SecondFactors
  readonly completion: LoginCompletion
}

const services = Symbol('svc.security-services')

export function keepServices(fastify: FastifyInstance, kept: SecurityServices): void {
  fastify.decorate(services, kept)
}

/** @throws TypeError where no accounts are kept; a zone that lists an authenticator of accounts keeps them */
export function servicesOf(fastify: FastifyInstance): SecurityServices {
  const kept = (fastify as unknown as { [services]?: SecurityServices })[services]
  if (kept === undefined) throw new TypeError('this application keeps no accounts')
  return kept
}
