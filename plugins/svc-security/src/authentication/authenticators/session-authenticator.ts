/**
 * A session, by its cookie. Never opens one; claims a request only where a session
 * with a user was resumed. The user is loaded anew on each request, and a session
 * whose user may no longer act is destroyed. It declares no challenge: a front end shows its own login.
 */
import type { FastifyRequest } from 'fastify'
import { type AccessToken, andThen, createAccessToken, type MaybePromise } from 'svc-kernel'
import { InvalidSession } from '../../errors.ts'
import { refusedFor } from '../../journal/audit-writer.ts'
import { proofOf } from '../../sessions/session-meta.ts'
import type { SessionService } from '../../sessions/session-service.ts'
import type { SessionRecord } from '../../sessions/session-store.ts'
import { orUnavailable } from '../../stores/guarded-store.ts'
import { isUsable, type LoadedUser, readUser, type UserSource } from '../../users/user-source.ts'
import { type Revalidation, SessionRevalidation } from '../revalidation/revalidation.ts'
import type { AuthenticationContext, Authenticator } from './authenticator.ts'

export const SESSION_NAME = 'session'

interface ResumedSession {
  readonly record: SessionRecord
  readonly request: FastifyRequest
}

export class SessionAuthenticator implements Authenticator<ResumedSession> {
  readonly #sessions: SessionService
  readonly #users: UserSource
  readonly #upgrades = new WeakMap<FastifyRequest, SessionRecord>()

  constructor(sessions: SessionService, users: UserSource) {
    this.#sessions = sessions
    this.#users = users
  }

  supports({ request }: AuthenticationContext): boolean | Promise<boolean> {
    return andThen(this.#sessions.resumeWithUser(request), hasUser)
  }

  createToken({ request, transport }: AuthenticationContext): ResumedSession {
    const record = this.#sessions.resumed(request)
    if (record === null) throw refusedFor(new InvalidSession(), 'no_session')
    if (transport === 'websocket') this.#upgrades.set(request, record)
    return { record, request }
  }

  /** `sessionRef` names the session as listings do; it opens nothing. */
  authenticate(resumed: ResumedSession): MaybePromise<AccessToken> {
    const { record, request } = resumed
    const found = this.#sessions.takeUser(request)
    if (found !== undefined) return this.#admit(resumed, readUser(found))
    const user = orUnavailable(() => this.#users.findByIdentifier(record.user ?? ''))
    return andThen(user, (loaded) => this.#admit(resumed, loaded))
  }

  #admit(resumed: ResumedSession, user: LoadedUser | null): MaybePromise<AccessToken> {
    if (user === null || !isUsable(user)) return this.#end(resumed, user)
    const { id: sessionRef } = resumed.record
    const { provenAt, factors } = proofOf(resumed.record)
    return createAccessToken({ type: SESSION_NAME, user: user.identity ?? user, sessionRef, provenAt, factors })
  }

  async #end({ record, request }: ResumedSession, user: LoadedUser | null): Promise<never> {
    const reason = user === null ? 'user_gone' : user.enabled ? 'user_locked' : 'user_disabled'
    await this.#sessions.end(record, reason, request)
    throw refusedFor(new InvalidSession(), reason)
  }

  liveness({ request }: AuthenticationContext): Revalidation {
    return new SessionRevalidation(request, this.#upgrades.get(request) ?? null, this.#sessions, this.#users)
  }
}

function hasUser(record: SessionRecord | null): boolean {
  return record !== null && record.user !== null
}
