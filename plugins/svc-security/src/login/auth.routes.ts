/**
 * Login, logout and "who am I" for a browser: the session cookie is all it holds.
 * The routes prove identity themselves, so no zone stands before them; a login
 * from a page of another origin is refused before its password is looked at.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from 'svc-kernel'
import { publicRoute, SECURITY_API } from '../api/public-route.ts'
import type { CsrfGuard } from '../cross-origin/csrf-guard.ts'
import { csrfToken, pageGate } from '../cross-origin/csrf-guard.ts'
import { InvalidSession } from '../errors.ts'
import { printable } from '../journal/printable.ts'
import { refusedFor } from '../journal/refused-for.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { SessionService } from '../sessions/session-service.ts'
import type { UserSource } from '../users/user-source.ts'
import { csrfTokenSchema, loginSchema, logoutSchema, meSchema } from './auth-schemas.ts'
import type { LoginCompletion } from './login-completion.ts'
import { LoginJournal } from './login-journal.ts'
import type { PasswordLogin } from './password-login.ts'
import { signedInUser } from './session-user.ts'

export interface AuthParts {
  readonly login: PasswordLogin
  readonly completion: LoginCompletion
  readonly sessions: SessionService
  readonly users: UserSource
  readonly guard: CsrfGuard
  readonly clock: Clock
  readonly journal: SecurityJournal
}

interface LoginRoute {
  Body: { username: string; password: string }
}

export function authRoutes(fastify: FastifyInstance, parts: AuthParts): void {
  const { sessions, users, clock, completion, guard } = parts
  const journal = new LoginJournal(parts.journal)
  const route = (name: string) => ({ config: { svc: publicRoute(`svc.auth.${name}`) } })

  fastify.post<LoginRoute>(
    `${SECURITY_API}/auth/login`,
    { ...route('login'), onRequest: pageGate(guard), schema: loginSchema },
    async (request, reply) => {
      const user = await provePassword(request, parts, journal)
      const methods = await completion.askSecondFactor(request, reply, user)
      if (methods.length === 0) return completion.completeLogin(request, reply, user)
      reply.code(202)
      return { mfaRequired: true, methods }
    }
  )

  fastify.post(
    `${SECURITY_API}/auth/logout`,
    { ...route('logout'), onRequest: pageGate(guard), schema: logoutSchema },
    async (request, reply) => {
      const ended = await sessions.destroy(request, reply)
      if (ended !== null && ended.user !== null) journal.loggedOut(ended.user, request)
      noStore(reply)
      return { ok: true }
    }
  )

  fastify.get(`${SECURITY_API}/auth/me`, { ...route('me'), schema: meSchema }, async (request, reply) => {
    noStore(reply)
    const { identifier, roles } = await signedInUser(request, { sessions, users, clock })
    return { user: { identifier, roles }, csrfToken: tokenOf(request, sessions) }
  })

  fastify.get(`${SECURITY_API}/auth/csrf`, { ...route('csrf'), schema: csrfTokenSchema }, async (request, reply) => {
    noStore(reply)
    if ((await sessions.resume(request)) === null) throw refusedFor(new InvalidSession(), 'no_session')
    return { csrfToken: tokenOf(request, sessions) }
  })
}

async function provePassword(request: FastifyRequest<LoginRoute>, { login }: AuthParts, journal: LoginJournal) {
  const { username: identifier, password } = request.body
  try {
    return await login.attempt({ identifier, password, ip: request.ip })
  } catch (error) {
    journal.failed(printable(identifier), error, request)
    throw error
  }
}

function tokenOf(request: FastifyRequest, sessions: SessionService): string {
  return csrfToken(sessions.idOf(request) ?? '')
}

/** What was said to one caller is kept by nobody. */
function noStore(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store')
}
