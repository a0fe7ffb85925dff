/** What becomes of sessions, told to the audit. A session is named by its reference, never by its id. */
import type { FastifyRequest } from 'fastify'
import type { SessionRecord } from 'svc-stores'
import type { SecurityJournal } from '../journal/security-journal.ts'

type Told = Pick<SessionRecord, 'id' | 'user'>

export class SessionJournal {
  readonly #journal: SecurityJournal

  constructor(journal: SecurityJournal) {
    this.#journal = journal
  }

  opened({ id, user }: Told, request: FastifyRequest): void {
    const event = { category: 'session', action: 'session.opened', outcome: 'success' } as const
    this.#journal.done({ ...event, actor: user, resource: id }, request)
  }

  /** @param reason `logout`, `replaced`, `expired`, `user_gone`, `user_locked` */
  destroyed({ id, user }: Told, reason: string, request: FastifyRequest): void {
    const event = { category: 'session', action: 'session.destroyed', outcome: 'success' } as const
    this.#journal.done({ ...event, actor: user, resource: id, reason }, request)
  }

  /** @param count how many of a user's; `null` where one session was named */
  revoked(resource: string, count: number | null, request: FastifyRequest | undefined): void {
    const actor = request?.user?.identifier ?? null
    const event = { category: 'session', action: 'session.revoked', outcome: 'success' } as const
    this.#journal.done({ ...event, actor, resource, metadata: count === null ? {} : { count } }, request)
  }

  mishap(what: string, error: unknown, request: FastifyRequest): void {
    this.#journal.mishap(what, error, request)
  }
}
