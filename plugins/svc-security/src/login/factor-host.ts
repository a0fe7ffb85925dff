/**
 * What second factors and logins without a password stand on: the session of a
 * request, its user, the throttle, and the one way in which every login ends.
 */
import type { FastifyReply, FastifyRequest, onRequestHookHandler, preParsingHookHandler } from 'fastify'
import type { Clock } from 'svc-kernel'
import type { SessionRecord } from 'svc-stores'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { LoginThrottler } from '../throttling/login-throttler.ts'
import type { UserSource } from '../users/user-source.ts'

export interface FactorHost {
  readonly sessions: {
    /** The session of a request; never opens one. */
    resume(request: FastifyRequest): Promise<Pick<SessionRecord, 'user' | 'content'> | null>
  }
  readonly users: UserSource
  /** `null` where it is switched off. */
  readonly throttler: Pick<LoginThrottler, 'check' | 'failed' | 'succeeded' | 'released'> | null
  readonly journal: Pick<SecurityJournal, 'done'>
  readonly clock: Pick<Clock, 'now'>
  /** Route option `preParsing` of changes made with a session. */
  readonly csrf: preParsingHookHandler
  /** Route option `onRequest` of logins, which have no session yet: pages of other origins are refused. */
  readonly page: onRequestHookHandler
  /** True when a user must pass a second factor after the first. */
  hasSecondFactor(identifier: string): Promise<boolean>
  /** After a first factor: the methods of which one must follow, with a session that waits for it; none where none is due. */
  askSecondFactor(
    request: FastifyRequest,
    reply: FastifyReply,
    user: Pick<Identity, 'identifier'>
  ): Promise<readonly string[]>
  /** Opens the session of a user whose every factor held, audits the login, and gives the answer. */
  completeLogin(request: FastifyRequest, reply: FastifyReply, user: Identity, reason: string): Promise<unknown>
}

interface Identity {
  readonly identifier: string
  readonly roles: readonly string[]
}
