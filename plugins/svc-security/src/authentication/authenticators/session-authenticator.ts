/**
 * A session, by its cookie. Never opens one; claims a request only where a session
 * with a user was resumed. The user is loaded again on each request, and a session
 * whose user may no longer act is destroyed. It declares no challenge: a front end shows its own login.
 */
import type { FastifyRequest } from 'fastify'
import { type AccessToken, createAccessToken, type MaybePromise, type SecurityScheme } from 'svc-kernel'
import { andThen, proofKind } from 'svc-kernel/plugin'
import { actingOf } from '../../acting/acting.ts'
import { InvalidSession } from '../../errors.ts'
import type { Impersonation } from '../../impersonation/impersonation.ts'
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
  readonly carrier = 'cookie'
  readonly subject = 'person'
  readonly needs = 'accounts'
  readonly openapi: SecurityScheme
  readonly #proof = proofKind(this, SESSION_NAME)
  readonly #sessions: SessionService
  readonly #users: UserSource
  readonly #impersonation: Impersonation

  /** @param cookieName as in the option `session.cookieName` */
  constructor(sessions: SessionService, users: UserSource, impersonation: Impersonation, cookieName = 'svc_session') {
    this.#sessions = sessions
    this.#impersonation = impersonation
    this.#users = users
    const description = 'Session cookie of a login; over plain HTTP its name has no `__Host-`.'
    this.openapi = { type: 'apiKey', in: 'cookie', name: `__Host-${cookieName}`, description }
  }

  supports({ request }: AuthenticationContext): boolean | Promise<boolean> {
    return andThen(this.#sessions.resumeWithUser(request), hasUser)
  }

  createToken({ request }: AuthenticationContext): ResumedSession {
    const record = this.#sessions.resumed(request)
    if (record === null) throw refusedFor(new InvalidSession(), 'no_session')
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
    return this.#tokenOf(resumed.record, user)
  }

  readonly #tokenOf = (record: SessionRecord, user: LoadedUser): MaybePromise<AccessToken> => {
    const { provenAt, factors } = proofOf(record)
    const { identity = user } = user
    const { id: sessionRef } = record
    const acting = actingOf(record)
    if (acting !== null) {
      const given = { type: SESSION_NAME, sessionRef, proof: this.#proof }
      return this.#impersonation.tokenOf(acting, user, given)
    }
    return createAccessToken({ type: SESSION_NAME, user: identity, sessionRef, provenAt, factors, proof: this.#proof })
  }

  async #end({ record, request }: ResumedSession, user: LoadedUser | null): Promise<never> {
    const reason = user === null ? 'user_gone' : user.enabled ? 'user_locked' : 'user_disabled'
    await this.#sessions.end(record, reason, request)
    throw refusedFor(new InvalidSession(), reason)
  }

  liveness({ request }: AuthenticationContext): Revalidation {
    const sources = { sessions: this.#sessions, users: this.#users, tokenOf: this.#tokenOf }
    return new SessionRevalidation(request, this.#sessions.resumed(request), sources)
  }
}

function hasUser(record: SessionRecord | null): boolean {
  return record !== null && record.user !== null
}
