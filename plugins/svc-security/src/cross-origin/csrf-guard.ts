/**
 * Keeps other pages from changing something with a browser's session (or with its
 * remembered Basic password). What a program presents by itself is exempt: no page can make a browser send it.
 */
import type { FastifyRequest } from 'fastify'
import { openerOf } from 'svc-kernel'
import { CrossSite, CsrfTokenMissing } from '../errors.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { CsrfConfig } from '../options.ts'
import type { SessionService } from '../sessions/session-service.ts'
import { CSRF_HEADER, isCsrfToken } from './csrf-token.ts'
import { judgePage } from './judge-page.ts'
import { judgeOrigin } from './request-origin.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Proofs that a browser adds by itself. */
const AMBIENT = new Set(['session', 'userpassword'])

export interface CsrfParts {
  readonly setting: CsrfConfig
  /** `null` where the application keeps no accounts: sessions are then of somebody else's making. */
  readonly sessions: Pick<SessionService, 'idOf'> | null
  readonly journal: SecurityJournal
}

export class CsrfGuard {
  readonly #parts: CsrfParts
  readonly #trusted: ReadonlySet<string>

  constructor(parts: CsrfParts) {
    this.#parts = parts
    this.#trusted = new Set(parts.setting.trustedOrigins)
  }

  /** A request as the firewall left it. @returns the refusal, or `null` */
  judge(request: FastifyRequest): Error | null {
    if (SAFE.has(request.method) || request.token === null || !AMBIENT.has(request.token.type)) return null
    // Over a WebSocket there is nothing to add by itself; its page was judged when it was opened.
    if (openerOf(request) !== null) return null
    return this.judgePage(request) ?? this.#judgeToken(request)
  }

  /** A request to a route that the firewall leaves alone and that reads the session itself. */
  judgeCarried(request: FastifyRequest): Error | null {
    if (request.token !== null) return this.judge(request)
    if (SAFE.has(request.method) || this.#idOf(request) === null) return null
    return this.judgePage(request) ?? this.#judgeToken(request)
  }

  /** The page alone: for a login, where there is no session yet. */
  judgePage(request: FastifyRequest): Error | null {
    if (!this.#parts.setting.enabled) return null
    const verdict = judgeOrigin(request, this.#trusted)
    const fault = judgePage(verdict, request.headers['sec-fetch-site'])
    return fault === null ? null : this.#refuse(request, fault, new CrossSite())
  }

  /** Of a session of ours. One of another make has no token; its page was judged. */
  #judgeToken(request: FastifyRequest): Error | null {
    const id = this.#idOf(request)
    if (!this.#parts.setting.enabled || id === null || request.token?.type === 'userpassword') return null
    if (isCsrfToken(request.headers[CSRF_HEADER], id)) return null
    return this.#refuse(request, 'token', new CsrfTokenMissing(CSRF_HEADER))
  }

  #idOf(request: FastifyRequest): string | null {
    return this.#parts.sessions?.idOf(request) ?? null
  }

  #refuse(request: FastifyRequest, reason: string, error: Error): Error {
    const event = { category: 'csrf', action: 'csrf.rejected', outcome: 'denied' } as const
    const actor = request.user?.identifier ?? null
    this.#parts.journal.done({ ...event, actor, resource: request.routeOptions.url ?? null, reason }, request)
    return error
  }
}
