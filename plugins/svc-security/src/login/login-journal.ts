/** Logins, told to the audit: who tried, how it ended, and the true cause that no answer shows. */
import type { FastifyRequest } from 'fastify'
import { readableError } from '../journal/readable-error.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'

export class LoginJournal {
  readonly #journal: SecurityJournal

  constructor(journal: SecurityJournal) {
    this.#journal = journal
  }

  /** @param reason how, where it was not a password: `totp`, `webauthn`, `oauth` */
  succeeded(actor: string, reason: string | null, request: FastifyRequest): void {
    this.#journal.done({ category: 'auth', action: 'login.success', outcome: 'success', actor, reason }, request)
  }

  /** @param actor the submitted name, whether or not it exists; `null` where none was */
  failed(actor: string | null, error: unknown, request: FastifyRequest): void {
    const { statusCode, code, message, ...readable } = readableError(error)
    const reason = readable.reason ?? code ?? message
    if (statusCode !== 401 && statusCode !== 429) {
      const level = request.server.outageLog.isNews(error) ? 'error' : 'debug'
      request.log[level]({ code, reason }, 'a login could not be decided')
      return
    }
    const action = statusCode === 429 ? 'login.throttled' : 'login.failure'
    this.#journal.done({ category: 'auth', action, outcome: 'failure', actor, reason }, request)
  }

  secondFactorDue(actor: string, methods: readonly string[], request: FastifyRequest): void {
    const event = { category: 'auth', action: 'login.mfa_required', outcome: 'success' } as const
    this.#journal.done({ ...event, actor, reason: methods.join(' ') }, request)
  }

  loggedOut(actor: string, request: FastifyRequest): void {
    this.#journal.done({ category: 'auth', action: 'logout', outcome: 'success', actor }, request)
  }
}
