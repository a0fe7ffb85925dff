/**
 * What who is signed in may see and change of the own account: its sessions, its logins by tokens, its password. By the session alone, which
 * every other credential lacks: a key or a token that leaked must not lock its owner out.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { strictQuery } from 'svc-kernel/plugin'
import { closed, object, textUpTo } from 'svc-kernel/schemas'
import * as answers from '../api/answers.ts'
import { noStore, SECURITY_API, sessionRoute } from '../api/security-api.ts'
import {
  GrantNotFound,
  InvalidCredentials,
  InvalidPassword,
  PasswordKeptElsewhere,
  PasswordsBusy,
  SessionNotFound,
  Throttled
} from '../errors.ts'
import { printable } from '../journal/audit-writer.ts'
import { MAX_PASSWORD_LENGTH } from '../password-hashes/argon2id.ts'
import type { SessionService } from '../sessions/session-service.ts'
import type { PasswordVerifier } from '../users/passwords.ts'
import type { UserEndings } from '../users/user-endings.ts'
import type { LoadedUser } from '../users/user-source.ts'
import { type FactorHost, sessionGate, signedInUser } from './factor-host.ts'
import { type LoginService, loginFailed } from './login-service.ts'

export interface OwnAccountParts {
  readonly login: Pick<LoginService, 'attempt'>
  readonly sessions: Pick<SessionService, 'list' | 'again' | 'revoke' | 'revokeUser' | 'resume' | 'confirm'>
  readonly passwords: Pick<PasswordVerifier, 'hash'>
  readonly endings: Pick<UserEndings, 'endEverything'>
  readonly grants: Grants
  readonly host: FactorHost
}

/** More than a person has open, so that all of them are seen at once; of more there are pages. */
const MAX_SESSIONS = 200

const page = closed(
  {},
  {
    limit: { type: 'integer', minimum: 1, maximum: MAX_SESSIONS, default: MAX_SESSIONS },
    offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }
  }
)

/** A reference is the SHA-256 of a session id, base64url. */
const sessionRef = object({ ref: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } })

const passwordBody = closed({ current: textUpTo(MAX_PASSWORD_LENGTH), password: textUpTo(MAX_PASSWORD_LENGTH) })

const confirmBody = closed({ password: textUpTo(MAX_PASSWORD_LENGTH) })

/** Of a password that is tried. */
const TRIED = [InvalidCredentials, Throttled, PasswordsBusy]

/** A reference is the name of a family of refresh tokens. */
const grantRef = object({ ref: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' } })

/** Logins by tokens, where the application issues any: `TokenGrants`. */
export interface Grants {
  list(identifier: string): Promise<readonly object[]>
  end(identifier: string, ref: string | null, reason: string): Promise<number>
}

interface PasswordRoute {
  Body: { readonly current: string; readonly password: string }
}

export function ownAccountRoutes(fastify: FastifyInstance, parts: OwnAccountParts): void {
  const { sessions, grants, host } = parts
  const route = (name: string) => ({ config: { svc: sessionRoute(`svc.auth.${name}`) } })
  const change = { preParsing: [host.csrf, sessionGate(host)] }
  // Who took a session must not sign its owner out everywhere else (ASVS 7.5.2).
  const proven = { preParsing: [...change.preParsing, host.proof] }

  fastify.get<{ Querystring: { limit: number; offset: number } }>(
    `${SECURITY_API}/auth/sessions`,
    {
      ...route('sessions'),
      preParsing: sessionGate(host),
      preValidation: strictQuery(Object.keys(page.properties)),
      schema: { querystring: page, response: { 200: answers.ownSessions } }
    },
    async (request, reply) => {
      const { identifier: user } = await signedInUser(request, host)
      const own = await sessions.resume(request)
      const { limit, offset } = request.query
      const { items, hasNext } = await sessions.list({ user }, { limit, offset, order: [['updatedAt', 'DESC']] })
      const views = items.map(({ id, meta: { ip = null, userAgent = null }, createdAt, updatedAt }) => {
        return { ref: id, current: id === own?.id, ip, userAgent, createdAt, updatedAt }
      })
      return noStore(reply, { sessions: views, limit, offset, hasNext })
    }
  )

  fastify.post<{ Params: { ref: string } }>(
    `${SECURITY_API}/auth/sessions/:ref/revoke`,
    {
      ...route('sessions.revoke'),
      ...proven,
      schema: { params: sessionRef, response: { 200: answers.done }, errors: [SessionNotFound] }
    },
    async (request) => {
      const { identifier: user } = await signedInUser(request, host)
      const { ref } = request.params
      // One of somebody else is as unknown as none.
      const found = await sessions.again(ref, false, request)
      if (found?.user !== user || !(await sessions.revoke(ref, request))) throw new SessionNotFound()
      return { ok: true }
    }
  )

  fastify.post(
    `${SECURITY_API}/auth/sessions/revoke-others`,
    {
      ...route('sessions.revoke-others'),
      ...proven,
      schema: { response: { 200: answers.endedSessions } }
    },
    async (request) => {
      const { identifier } = await signedInUser(request, host)
      const own = await sessions.resume(request)
      const [count, ended] = await Promise.all([
        sessions.revokeUser(identifier, own?.id, request),
        grants.end(identifier, null, 'sessions_ended')
      ])
      return { count, grants: ended }
    }
  )

  fastify.get(
    `${SECURITY_API}/auth/grants`,
    { ...route('grants'), schema: { response: { 200: answers.grants } } },
    async (request, reply) => {
      const { identifier } = await signedInUser(request, host)
      return noStore(reply, { grants: await grants.list(identifier) })
    }
  )

  fastify.post<{ Params: { ref: string } }>(
    `${SECURITY_API}/auth/grants/:ref/revoke`,
    {
      ...route('grants.revoke'),
      ...proven,
      schema: { params: grantRef, response: { 200: answers.done }, errors: [GrantNotFound] }
    },
    async (request) => {
      const { identifier } = await signedInUser(request, host)
      if ((await grants.end(identifier, request.params.ref, 'manual')) === 0) throw new GrantNotFound()
      return { ok: true }
    }
  )

  fastify.post<{ Body: { readonly password: string } }>(
    `${SECURITY_API}/auth/confirm`,
    {
      ...route('confirm'),
      ...change,
      schema: { body: confirmBody, response: { 200: answers.done }, errors: TRIED }
    },
    async (request, reply) => {
      const { identifier } = await signedInUser(request, host)
      await provePassword(request, identifier, request.body.password, parts)
      await sessions.confirm(request, ['pwd'])
      return noStore(reply, { ok: true })
    }
  )

  fastify.post<PasswordRoute>(
    `${SECURITY_API}/auth/password`,
    {
      ...route('password'),
      ...change,
      schema: {
        body: passwordBody,
        response: { 200: answers.done },
        errors: [...TRIED, InvalidPassword, PasswordKeptElsewhere]
      }
    },
    async (request, reply) => {
      const { identifier } = await signedInUser(request, host)
      await changePassword(request, identifier, parts)
      return noStore(reply, { ok: true })
    }
  )
}

/**
 * The current password is tried as at a login, throttled and audited: a session that was left open is no proof.
 *
 * @throws InvalidCredentials (401), Throttled (429)
 */
async function provePassword(
  request: FastifyRequest,
  identifier: string,
  password: string,
  { login, host }: OwnAccountParts
): Promise<LoadedUser> {
  try {
    return await login.attempt({ identifier, password, ip: request.ip })
  } catch (error) {
    loginFailed(host.journal, printable(identifier), error, request)
    throw error instanceof InvalidCredentials ? new InvalidCredentials() : error
  }
}

/** @throws InvalidCredentials (401), Throttled (429), InvalidPassword (400), PasswordKeptElsewhere (409) */
async function changePassword(
  request: FastifyRequest<PasswordRoute>,
  identifier: string,
  parts: OwnAccountParts
): Promise<void> {
  const { sessions, passwords, endings, host } = parts
  const { current, password } = request.body
  const user = await provePassword(request, identifier, current, parts)
  const hashed = await passwords.hash(password, identifier)
  // The record is read again, as an application may keep it otherwise than the attempt saw it.
  const stored = (await host.users.findByIdentifier(identifier)) ?? user
  if ((await host.users.replacePassword?.(stored, hashed)) !== true) throw new PasswordKeptElsewhere()
  const actor = printable(identifier)
  const event = { category: 'config', action: 'user.password', outcome: 'success' } as const
  host.journal.done({ ...event, actor, resource: actor, metadata: {} }, request)
  const keepSession = (await sessions.resume(request))?.id
  await endings.endEverything({ identifier, reason: 'password', keepSession })
  await sessions.confirm(request, ['pwd'])
}
