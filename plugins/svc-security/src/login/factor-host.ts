/**
 * What second factors and logins without a password stand on: the session of a request, its user loaded again, the
 * throttle, and the one way in which every login ends. A login whose second factor is due waits in its session, under
 * `pending`, for five minutes.
 */
import type { FastifyRequest, onRequestHookHandler, preParsingHookHandler } from 'fastify'
import type { Clock } from 'svc-kernel'
import { refusing } from 'svc-kernel/plugin'
import type { JsonObject } from 'svc-stores'
import { actingOf } from '../acting/acting.ts'
import { InvalidSession, NotWhileImpersonating } from '../errors.ts'
import { type AuditWriter, refusedFor } from '../journal/audit-writer.ts'
import type { SessionRecord } from '../sessions/session-store.ts'
import { orUnavailable } from '../stores/guarded-store.ts'
import type { LoginThrottler } from '../throttling/login-throttler.ts'
import { isUsable, type LoadedUser, type UserSource } from '../users/user-source.ts'
import type { LoginService } from './login-service.ts'
import { passwordMark } from './password-mark.ts'

export interface FactorHost {
  readonly sessions: {
    /** The session of a request; never opens one. */
    resume(request: FastifyRequest): Promise<Pick<SessionRecord, 'user' | 'content' | 'meta'> | null>
    /** Notes that its user was proven again just now. */
    confirm(request: FastifyRequest, factors: readonly string[]): Promise<boolean>
  }
  readonly users: UserSource
  /** `null` where it is switched off. */
  readonly throttler: Pick<LoginThrottler, 'check' | 'failed' | 'succeeded' | 'released'> | null
  readonly journal: Pick<AuditWriter, 'done'>
  readonly clock: Pick<Clock, 'now'>
  /** Route option `preParsing` of changes made with a session. */
  readonly csrf: preParsingHookHandler
  /** Route option `preParsing`, behind that of a session: a proof that is not recent is refused. */
  readonly proof: preParsingHookHandler
  /** The same of the enrolment of a factor. */
  readonly enrolment: preParsingHookHandler
  /** Whether the session of a request is still stored: it may have ended while the request was at work. */
  readonly isStillOpen: (request: FastifyRequest) => Promise<boolean>
  /** Route option `onRequest` of logins, which have no session yet: pages of other origins are refused. */
  readonly page: onRequestHookHandler
  /** What follows a first factor, and the one way in which every login ends. */
  readonly login: Pick<LoginService, 'requiredFactors' | 'askSecondFactor' | 'complete' | 'checkProvider'>
}

type Host = Pick<FactorHost, 'users' | 'clock'> & { readonly sessions: Pick<FactorHost['sessions'], 'resume'> }

/** @throws InvalidSession (401) without a session that is logged in; NotWhileImpersonating (403) */
export async function signedInUser(request: FastifyRequest, host: Host): Promise<LoadedUser> {
  const session = await host.sessions.resume(request)
  // Neither the account of the one who acts nor that of the other user is meant.
  if (session !== null && actingOf(session) !== null) throw new NotWhileImpersonating()
  return usable(session?.user ?? null, host)
}

/** The user of the session itself, whomever it acts as. @throws InvalidSession (401) */
export async function sessionUser(request: FastifyRequest, host: Host): Promise<LoadedUser> {
  const session = await host.sessions.resume(request)
  return usable(session?.user ?? null, host)
}

/** @throws InvalidSession (401) unless this very method is due, and not for too long */
export async function pendingUser(request: FastifyRequest, method: string, host: Host): Promise<LoadedUser> {
  const pending = await pendingLogin(request, host)
  const user = await usable(pending?.methods.includes(method) ? pending.identifier : null, host)
  if (pending !== null && pending.password !== null && pending.password !== passwordMark(user)) {
    throw refusedFor(new InvalidSession(), 'password_changed')
  }
  return user
}

/** The login whose second factor is due in the session of a request, or `null`. */
export async function pendingLogin(request: FastifyRequest, host: Pick<Host, 'sessions' | 'clock'>) {
  const session = await host.sessions.resume(request)
  return session === null || session.user !== null ? null : readPending(session.content, host.clock.now())
}

/**
 * Takes a factor back whose session ended while it was enrolled: where an account is taken back its sessions end first, and
 * then its factors go, which may have been before this one was there.
 *
 * @throws InvalidSession (401)
 */
export async function keepIfStillOpen(
  request: FastifyRequest,
  host: Pick<FactorHost, 'isStillOpen'>,
  takeBack: () => Promise<unknown>
): Promise<void> {
  if (await host.isStillOpen(request)) return
  await takeBack()
  throw refusedFor(new InvalidSession(), 'ended')
}

/** Route option `preParsing` of what takes a session: who has none is refused before the body is read. */
export function sessionGate(host: Host): preParsingHookHandler {
  return refusing<preParsingHookHandler>(async (request) => {
    await signedInUser(request, host)
  }, InvalidSession)
}

/** The same for the second step of a login. */
export function pendingGate(method: string, host: Host): preParsingHookHandler {
  return refusing<preParsingHookHandler>(async (request) => {
    await pendingUser(request, method, host)
  }, InvalidSession)
}

async function usable(identifier: string | null, { users }: Host): Promise<LoadedUser> {
  const user = identifier === null ? null : await orUnavailable(() => users.findByIdentifier(identifier))
  if (user === null) throw refusedFor(new InvalidSession(), identifier === null ? 'no_session' : 'unknown_user')
  if (!isUsable(user)) throw refusedFor(new InvalidSession(), user.enabled ? 'locked' : 'disabled')
  return user
}

export interface PendingLogin {
  readonly identifier: string
  readonly methods: readonly string[]
  /** Epoch ms: when the first factor held. */
  readonly since: number
  /** Both: `null` where an older version began the login. The first factor, and the mark of the password of then. */
  readonly first: string | null
  readonly password: string | null
}

const LIFE_MS = 300_000

/** What cannot be read does not hold. @param now epoch ms */
export function readPending({ pending }: JsonObject, now: number): PendingLogin | null {
  if (typeof pending !== 'object' || pending === null || Array.isArray(pending)) return null
  const { identifier, methods, since, first, password } = pending as JsonObject
  if (typeof identifier !== 'string' || typeof since !== 'number' || !Array.isArray(methods)) return null
  if (!(since <= now && now - since < LIFE_MS)) return null
  const named = methods.filter((method) => typeof method === 'string')
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
  return { identifier, since, methods: named, first: textOf(first), password: textOf(password) }
}
