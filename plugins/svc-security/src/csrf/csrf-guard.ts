/**
 * Keeps other pages from changing something with a browser's session (or with its
 * remembered Basic password). What a program presents by itself is exempt: no page can make a browser send it.
 */
import type { FastifyRequest } from 'fastify'
import { CrossSite, CsrfTokenMissing } from '../errors.ts'
import { judgeOrigin } from '../firewall/upgrade-origin.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { CSRF_HEADER, isCsrfToken } from './csrf-token.ts'
import { judgePage } from './judge-page.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Proofs that a browser adds by itself. */
const AMBIENT = new Set(['session', 'userpassword'])

export interface CsrfParts {
  readonly enabled: boolean
  readonly trustedOrigins: ReadonlySet<string>
  readonly sessions: Pick<SessionService, 'idOf'>
  readonly journal: SecurityJournal
}

export class CsrfGuard {
  readonly #parts: CsrfParts

  constructor(parts: CsrfParts) {
    this.#parts = parts
  }

  /** A request that was let in by the firewall. @returns the refusal, or `null` */
  judge(request: FastifyRequest): Error | null {
    if (SAFE.has(request.method) || request.token === null || !AMBIENT.has(request.token.type)) return null
    return this.judgePage(request) ?? (request.token.type === 'session' ? this.#judgeToken(request) : null)
  }

  /** The page alone: for a login, where there is no session yet. */
  judgePage(request: FastifyRequest): Error | null {
    const { enabled, trustedOrigins } = this.#parts
    if (!enabled) return null
    const verdict = judgeOrigin(request, trustedOrigins)
    const fault = judgePage(verdict, request.headers['sec-fetch-site'])
    return fault === null ? null : this.#refuse(request, fault, new CrossSite())
  }

  #judgeToken(request: FastifyRequest): Error | null {
    const { enabled, sessions } = this.#parts
    if (!enabled) return null
    const id = sessions.idOf(request)
    if (id !== null && isCsrfToken(request.headers[CSRF_HEADER], id)) return null
    return this.#refuse(request, 'token', new CsrfTokenMissing(CSRF_HEADER))
  }

  #refuse(request: FastifyRequest, reason: string, error: Error): Error {
    const event = { category: 'csrf', action: 'csrf.rejected', outcome: 'denied' } as const
    const actor = request.user?.identifier ?? null
    this.#parts.journal.done({ ...event, actor, resource: request.routeOptions.url ?? null, reason }, request)
    return error
  }
}
