/**
 * What who is signed in may see and change of the own account: its sessions, its password. By the session alone, which
 * every other credential lacks: a key or a token that leaked must not lock its owner out.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answer, closed, flag, integer, listOf, object, text, textOrNull, textUpTo } from '../api/schemas.ts'
import { noStore, SECURITY_API, sessionRoute } from '../api/security-api.ts'
import { InvalidCredentials, PasswordKeptElsewhere, SessionUnknown } from '../errors.ts'
import { printable } from '../journal/audit-writer.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { MAX_PASSWORD_LENGTH, type PasswordVerifier } from '../users/passwords.ts'
import type { LoadedUser } from '../users/user-source.ts'
import { type FactorHost, sessionGate, signedInUser } from './factor-host.ts'
import { type LoginService, loginFailed } from './login-service.ts'

export interface OwnAccountParts {
  readonly login: Pick<LoginService, 'attempt'>
  readonly sessions: Pick<SessionService, 'list' | 'revoke' | 'revokeUser' | 'resume'>
  readonly passwords: Pick<PasswordVerifier, 'hash'>
  readonly host: FactorHost
}

/** More than a person has open, so that all of them are seen at once. */
const MAX_SESSIONS = 200

const sessionView = object({
  ref: text,
  current: flag,
  ip: textOrNull,
  userAgent: textOrNull,
  createdAt: integer,
  updatedAt: integer
})

/** A reference is the SHA-256 of a session id, base64url. */
const sessionRef = object({ ref: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } })

const passwordBody = closed({ current: textUpTo(MAX_PASSWORD_LENGTH), password: textUpTo(MAX_PASSWORD_LENGTH) })

interface PasswordRoute {
  Body: { readonly current: string; readonly password: string }
}

export function ownAccountRoutes(fastify: FastifyInstance, parts: OwnAccountParts): void {
  const { sessions, host } = parts
  const route = (name: string) => ({ config: { svc: sessionRoute(`svc.auth.${name}`) } })
  const change = { preParsing: [host.csrf, sessionGate(host)] }

  fastify.get(
    `${SECURITY_API}/auth/sessions`,
    { ...route('sessions'), schema: { response: answer({ sessions: listOf(sessionView) }) } },
    async (request, reply) => {
      const { identifier: user } = await signedInUser(request, host)
      const own = await sessions.resume(request)
      const { items } = await sessions.list({ user }, { limit: MAX_SESSIONS, order: [['updatedAt', 'DESC']] })
      const views = items.map(({ id, meta: { ip = null, userAgent = null }, createdAt, updatedAt }) => {
        return { ref: id, current: id === own?.id, ip, userAgent, createdAt, updatedAt }
      })
      return noStore(reply, { sessions: views })
    }
  )

  fastify.post<{ Params: { ref: string } }>(
    `${SECURITY_API}/auth/sessions/:ref/revoke`,
    {
      ...route('sessions.revoke'),
      ...change,
      schema: { params: sessionRef, response: answer({ ok: flag }) }
    },
    async (request) => {
      const { identifier: user } = await signedInUser(request, host)
      const { ref } = request.params
      const { items } = await sessions.list({ user }, { limit: MAX_SESSIONS, order: [['updatedAt', 'DESC']] })
      // One of somebody else is as unknown as none.
      if (!items.some(({ id }) => id === ref) || !(await sessions.revoke(ref, request))) throw new SessionUnknown()
      return { ok: true }
    }
  )

  fastify.post(
    `${SECURITY_API}/auth/sessions/revoke-others`,
    { ...route('sessions.revoke-others'), ...change, schema: { response: answer({ count: integer }) } },
    async (request) => {
      const { identifier } = await signedInUser(request, host)
      return { count: await endOthers(request, identifier, parts) }
    }
  )

  fastify.post<PasswordRoute>(
    `${SECURITY_API}/auth/password`,
    { ...route('password'), ...change, schema: { body: passwordBody, response: answer({ ok: flag }) } },
    async (request, reply) => {
      const { identifier } = await signedInUser(request, host)
      await changePassword(request, identifier, parts)
      await endOthers(request, identifier, parts)
      return noStore(reply, { ok: true })
    }
  )
}

/**
 * The current password is tried as at a login, throttled and audited: a session that was left open is no proof.
 *
 * @throws InvalidCredentials (401), Throttled (429), InvalidPassword (400), PasswordKeptElsewhere (409)
 */
async function changePassword(
  request: FastifyRequest<PasswordRoute>,
  identifier: string,
  { login, passwords, host }: OwnAccountParts
): Promise<void> {
  const { current, password } = request.body
  const actor = printable(identifier)
  let user: LoadedUser
  try {
    user = await login.attempt({ identifier, password: current, ip: request.ip })
  } catch (error) {
    loginFailed(host.journal, actor, error, request)
    throw error instanceof InvalidCredentials ? new InvalidCredentials() : error
  }
  const hashed = await passwords.hash(password)
  // The attempt may have renewed a hash of an older cost, so the record is read again.
  const stored = (await host.users.findByIdentifier(user.identifier)) ?? user
  if ((await host.users.replacePassword?.(stored, hashed)) !== true) throw new PasswordKeptElsewhere()
  const event = { category: 'config', action: 'config.update', outcome: 'success' } as const
  host.journal.done({ ...event, actor, resource: actor, metadata: { key: 'user.password' } }, request)
}

async function endOthers(
  request: FastifyRequest,
  identifier: string,
  { sessions }: Pick<OwnAccountParts, 'sessions'>
): Promise<number> {
  const own = await sessions.resume(request)
  return sessions.revokeUser(identifier, own?.id, request)
}
