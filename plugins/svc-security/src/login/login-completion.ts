/**
 * What follows a factor that held, whatever it was: where a second one is due, a session
 * that waits for it; else the end of every login, a session under a new id and one answer.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, toUser, type User } from 'svc-kernel'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { orUnavailable } from '../stores/or-unavailable.ts'
import { LoginJournal } from './login-journal.ts'
import type { SecondFactors } from './second-factors.ts'

export interface LoginAnswer {
  readonly user: User
}

export interface LoginCompletionParts {
  readonly sessions: SessionService
  readonly factors: Pick<SecondFactors, 'required'>
  readonly clock: Pick<Clock, 'now'>
  readonly journal: SecurityJournal
}

export class LoginCompletion {
  readonly #parts: LoginCompletionParts
  readonly #journal: LoginJournal

  constructor(parts: LoginCompletionParts) {
    this.#parts = parts
    this.#journal = new LoginJournal(parts.journal)
  }

  /**
   * After a first factor that held.
   *
   * @returns the methods of which one must follow, with a session that waits for it; none where the login may complete
   * @throws AuthenticationUnavailable (503) when a factor or the session store cannot answer
   */
  async askSecondFactor(
    request: FastifyRequest,
    reply: FastifyReply,
    { identifier }: { readonly identifier: string }
  ): Promise<readonly string[]> {
    const { sessions, factors, clock } = this.#parts
    const methods = await orUnavailable(() => factors.required(identifier))
    if (methods.length === 0) return methods
    await sessions.open(request, reply, null, { pending: { identifier, methods, since: clock.now() } })
    this.#journal.secondFactorDue(identifier, methods, request)
    reply.header('cache-control', 'no-store')
    return methods
  }

  /** @param reason how, where it was not a password: `totp`, `recovery`, `webauthn`, `oauth` */
  async completeLogin(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { readonly identifier: string; readonly roles: readonly string[] },
    reason: string | null = null
  ): Promise<LoginAnswer> {
    const user = toUser({ identifier: given.identifier, roles: given.roles }) as User
    await this.#parts.sessions.open(request, reply, user.identifier)
    this.#journal.succeeded(user.identifier, reason, request)
    reply.header('cache-control', 'no-store')
    return { user }
  }
}
