/**
 * Login, logout and "who am I" for a browser: the session cookie is all it holds.
 * The routes prove identity themselves, so no zone asks for it before them; a login
 * from a page of another origin is refused before its password is looked at.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closed, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../api/answers.ts'
import { noStore, publicRoute, SECURITY_API, sessionRoute } from '../api/security-api.ts'
import { csrfToken } from '../cross-origin/csrf-guard.ts'
import { AuthenticationUnavailable, InvalidCredentials, InvalidSession, PasswordsBusy, Throttled } from '../errors.ts'
import { type AuditWriter, refusedFor } from '../journal/audit-writer.ts'
import { MAX_PASSWORD_LENGTH } from '../password-hashes/argon2id.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { type FactorHost, sessionUser } from './factor-host.ts'
import type { LoginService } from './login-service.ts'

export interface AuthParts {
  readonly login: LoginService
  readonly sessions: SessionService
  readonly journal: Pick<AuditWriter, 'done'>
  readonly host: FactorHost
}

interface LoginRoute {
  Body: { username: string; password: string }
}

const loginSchema = {
  body: closed({ username: textUpTo(256), password: textUpTo(MAX_PASSWORD_LENGTH) }),
  response: { 200: answers.signedIn, 202: answers.codeDue },
  errors: [InvalidCredentials, Throttled, PasswordsBusy, AuthenticationUnavailable]
}

export function authRoutes(fastify: FastifyInstance, { login, sessions, journal, host }: AuthParts): void {
  const route = (name: string) => ({ config: { svc: publicRoute(`svc.auth.${name}`) } })

  fastify.post<LoginRoute>(
    `${SECURITY_API}/auth/login`,
    { ...route('login'), onRequest: host.page, schema: loginSchema },
    async (request, reply) => {
      const { username, password } = request.body
      const { user, methods } = await login.login(request, username, password, { session: reply })
      if (user !== null) return { user }
      reply.code(202)
      return { mfaRequired: true, methods }
    }
  )

  fastify.post(
    `${SECURITY_API}/auth/logout`,
    {
      ...route('logout'),
      onRequest: host.page,
      schema: { response: { 200: answers.done }, errors: [AuthenticationUnavailable] }
    },
    async (request, reply) => {
      const ended = await sessions.destroy(request, reply)
      if (ended !== null && ended.user !== null) {
        journal.done({ category: 'auth', action: 'logout', outcome: 'success', actor: ended.user }, request)
      }
      return noStore(reply, { ok: true })
    }
  )

  fastify.get(
    `${SECURITY_API}/auth/me`,
    { config: { svc: sessionRoute('svc.auth.me') }, schema: { response: { 200: answers.me } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { identifier, roles } = await sessionUser(request, host)
      return { user: { identifier, roles }, csrfToken: tokenOf(request, sessions) }
    }
  )

  fastify.get(
    `${SECURITY_API}/auth/csrf`,
    { config: { svc: sessionRoute('svc.auth.csrf') }, schema: { response: { 200: answers.ownSession } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if ((await sessions.resume(request)) === null) throw refusedFor(new InvalidSession(), 'no_session')
      return { csrfToken: tokenOf(request, sessions) }
    }
  )
}

function tokenOf(request: FastifyRequest, sessions: SessionService): string {
  return csrfToken(sessions.idOf(request) ?? '')
}
