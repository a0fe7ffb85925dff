/** The end of every login, whatever proved it: a session under a new id, an audit record, one answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toUser, type User } from 'svc-kernel'
import { LoginJournal } from '../journal/login-journal.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { SessionService } from '../sessions/session-service.ts'

export interface LoginAnswer {
  readonly user: User
}

export class LoginCompletion {
  readonly #sessions: SessionService
  readonly #journal: LoginJournal

  constructor(sessions: SessionService, journal: SecurityJournal) {
    this.#sessions = sessions
    this.#journal = new LoginJournal(journal)
  }

  /** @param reason how, where it was not a password: `totp`, `webauthn`, `oauth` */
  async completeLogin(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { readonly identifier: string; readonly roles: readonly string[] },
    reason: string | null = null
  ): Promise<LoginAnswer> {
    const user = toUser({ identifier: given.identifier, roles: given.roles }) as User
    await this.#sessions.open(request, reply, user.identifier)
    this.#journal.succeeded(user.identifier, reason, request)
    reply.header('cache-control', 'no-store')
    return { user }
  }
}
