/**
 * Puts users, passwords, throttle, sessions and the login routes together from the
 * options. Stores are selected while the plugin registers, after their drivers.
 */
import type { FastifyInstance } from 'fastify'
import { type Clock, inProduction, type Problem, warnProblem } from 'svc-kernel'
import { ensureStores } from 'svc-stores'
import { firewallRoutes } from '../admin/firewall.routes.ts'
import { sessionsRoutes } from '../admin/sessions.routes.ts'
import { securityApi } from '../api/security-api.ts'
import { CsrfGuard, csrfGate, csrfHook } from '../cross-origin/csrf-guard.ts'
import { openIdempotency } from '../idempotency/open-idempotency.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import { authRoutes } from '../login/auth.routes.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import { PasswordLogin } from '../login/password-login.ts'
import { SecondFactors } from '../login/second-factors.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import { SessionCookie } from '../sessions/session-cookie.ts'
import { SessionEnds } from '../sessions/session-ends.ts'
import { SessionJournal } from '../sessions/session-journal.ts'
import { SessionService, sessionSlot } from '../sessions/session-service.ts'
import { PeriodicPurge } from '../stores/periodic-purge.ts'
import type { AttemptCounter } from '../throttling/attempt-counter.ts'
import { InsuredCounter } from '../throttling/insured-counter.ts'
import { LoginThrottler } from '../throttling/login-throttler.ts'
import { MemoryCounter } from '../throttling/memory-counter.ts'
import { PartUserSource } from '../users/part-user-source.ts'
import type { PasswordCost } from '../users/password-cost.ts'
import { PasswordVerifier } from '../users/password-verifier.ts'
import { StoreUserSource } from '../users/store-user-source.ts'
import { UserAccounts } from '../users/user-accounts.ts'
import type { UserSource } from '../users/user-source.ts'
import { accountLints, LOCAL_THROTTLE } from './account-lints.ts'
import { openFactors } from './open-factors.ts'
import { keepServices, type SecurityServices } from './security-services.ts'

export interface AccountsParts {
  readonly config: SecurityConfig
  readonly parts: SvcSecurityParts
  readonly clock: Clock
  readonly journal: SecurityJournal
  /** Takes the hooks that meet every request. */
  readonly server: FastifyInstance
}

export async function openAccounts(fastify: FastifyInstance, given: AccountsParts): Promise<SecurityServices> {
  const { config, parts, clock, journal } = given
  await ensureStores(fastify, { clock })
  const { memoryKib, passes, parallelism, maxConcurrent: atOnce, maxQueue: maxWaiting } = config.passwords
  const cost = { memoryKib, passes, parallelism }
  const users = openUsers(fastify, given, cost)
  const counter = openCounter(fastify, given)
  const throttler = openThrottler(given, counter)
  const login = new PasswordLogin(new PasswordVerifier(users, { cost, atOnce, maxWaiting }, fastify.log), throttler)
  const sessions = openSessions(fastify, given)
  const csrf = new CsrfGuard({ setting: config.csrf, sessions, journal })
  const factors = new SecondFactors()
  const completion = new LoginCompletion({ sessions, factors, clock, journal })
  const services = { config, clock, journal, users, counter, throttler, login, sessions, csrf, factors, completion }

  keepServices(fastify, services)
  fastify.decorate('sessions', sessions)
  const idempotency = openIdempotency(fastify, { setting: config.idempotency, ready: parts.stores?.idempotency, clock })
  fastify.decorate('gates', { csrf: csrfGate(csrf), idempotency })
  // Before any route of ours: a scope takes the hooks that its parent has when it is made.
  given.server.addHook('onRequest', csrfHook(csrf))
  if (inProduction(fastify)) {
    for (const problem of accountLints(config)) warnProblem(fastify.log, problem)
    if (config.rateLimit.enabled && parts.attempts === undefined) {
      const { message, ...fields } = LOCAL_THROTTLE
      fastify.log.info(fields, message)
    }
  }
  const factorRoutes = openFactors(fastify, services, parts)
  securityApi(fastify, (scope) => {
    authRoutes(scope, { ...services, guard: csrf })
    factorRoutes(scope)
    firewallRoutes(scope, { firewall: fastify.firewall, roleHierarchy: config.roleHierarchy })
    sessionsRoutes(scope, { sessions, csrf: csrfGate(csrf) })
  })
  return services
}

const bareCookie: Problem = {
  code: 'SVC_SEC_BARE_COOKIE',
  message: 'a session cookie was sent over plain HTTP, where others can read it',
  at: 'svc-security.session.secureCookie',
  fix: "serve TLS; behind a proxy that does, set server.trustProxy, or secureCookie: 'always'",
  more: 'docs/guides/logging-in.md'
}

function openUsers(
  fastify: FastifyInstance,
  { config, parts, journal }: AccountsParts,
  cost: PasswordCost
): UserSource {
  if (parts.users !== undefined) {
    const source = new PartUserSource(parts.users)
    const driver = 'application'
    fastify.decorate('userAccounts', new UserAccounts({ driver, store: null, source, cost, journal }))
    return source
  }
  const { driver, store } = fastify.stores.select('user', config.users.store, parts.stores?.user)
  const source = new StoreUserSource(store)
  fastify.decorate('userAccounts', new UserAccounts({ driver, store, source, cost, journal }))
  return source
}

function openCounter(fastify: FastifyInstance, { parts, clock }: AccountsParts): AttemptCounter {
  const insurance = new MemoryCounter(clock)
  if (parts.attempts === undefined) return insurance
  return new InsuredCounter({ counter: parts.attempts, insurance, log: fastify.log })
}

function openThrottler({ config, clock }: AccountsParts, counter: AttemptCounter): LoginThrottler | null {
  const { enabled, ...backoff } = config.rateLimit
  return enabled ? new LoginThrottler(backoff, counter, clock) : null
}

function openSessions(fastify: FastifyInstance, { config, parts, clock, journal }: AccountsParts): SessionService {
  const { idleTimeoutS, absoluteTimeoutS, purgeIntervalS, store: configured } = config.session
  const { store } = fastify.stores.select('session', configured, parts.stores?.session)
  const bounds = { idleTimeoutS, absoluteTimeoutS }
  fastify.decorateRequest(sessionSlot, null)
  const sessions = new SessionService({
    store,
    bounds,
    clock,
    cookie: new SessionCookie(config.session, () => {
      if (inProduction(fastify)) warnProblem(fastify.log, bareCookie)
    }),
    journal: new SessionJournal(journal),
    ends: new SessionEnds()
  })
  if (store !== null) {
    const sweep = () => sessions.purge()
    const purge = new PeriodicPurge({ name: 'sessions', intervalS: purgeIntervalS, sweep, clock, log: fastify.log })
    fastify.addHook('onReady', async () => purge.start())
    fastify.addHook('onClose', async () => purge.stop())
  }
  return sessions
}
