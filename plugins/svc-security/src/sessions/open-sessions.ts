/** Opens sessions from the options: their store, their cookie, the sweep of those that are over; `fastify.sessions`. */
import type { FastifyInstance } from 'fastify'
import { type Clock, inProduction, type Problem } from 'svc-kernel'
import { warnProblem } from 'svc-kernel/plugin'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { SecurityConfig } from '../options.ts'
import type { SvcSecurityParts } from '../parts.ts'
import type { UserSource } from '../users/user-source.ts'
import { shareSessions } from './request-session.ts'
import { RevocationNotifier } from './revocation-notifier.ts'
import { SessionCookie } from './session-cookie.ts'
import { SessionService, sessionSlot } from './session-service.ts'
import { sessionStore } from './session-store.ts'

const bareCookie: Problem = {
  code: 'SVC_SEC_BARE_COOKIE',
  message: 'a session cookie was sent over plain HTTP, where anyone on the network can read it',
  at: 'svc-security.session.secureCookie',
  fix: "serve TLS; behind a TLS proxy, set server.trustProxy, or session.secureCookie: 'always'",
  more: 'npx svc docs sessions'
}

export interface SessionsSetting {
  readonly config: Pick<SecurityConfig, 'session'>
  readonly parts: SvcSecurityParts
  readonly clock: Clock
  readonly journal: SecurityJournal
  readonly users: UserSource
}

export async function openSessions(
  fastify: FastifyInstance,
  { config, parts, clock, journal, users }: SessionsSetting
): Promise<SessionService> {
  const { idleTimeoutS, absoluteTimeoutS, purgeIntervalS: everyS, store: configured } = config.session
  const { store } = fastify.stores.select(sessionStore, configured, parts.stores?.session)
  const cookie = new SessionCookie(config.session, () => {
    if (inProduction(fastify)) warnProblem(fastify.log, bareCookie)
  })
  const bounds = { idleTimeoutS, absoluteTimeoutS }
  const sessions = new SessionService({
    store,
    bounds,
    clock,
    cookie,
    journal,
    revocations: new RevocationNotifier(),
    users: users.stored
  })
  fastify.decorateRequest(sessionSlot, null)
  fastify.decorate('sessions', sessions)
  if (config.session.shared) await shareSessions(fastify, { sessions, cookie })
  if (store !== null) {
    const { brick } = sessionStore
    const writeActivity = () => sessions.writeActivity().then(() => 0)
    fastify.maintenance.declare({ name: 'session-activity', everyS, clock, work: writeActivity })
    fastify.maintenance.declare({ name: 'sessions', store: brick, everyS, clock, work: () => sessions.purge() })
  }
  return sessions
}
