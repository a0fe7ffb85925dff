/**
 * Keeps other pages from changing something with a credential that a browser sends by itself: the page is checked first,
 * by its `Origin`, or by `Sec-Fetch-Site` where there is none; then the synchroniser token of a session. Which credential
 * that is, the authenticator says; one that does not say counts. What a program writes into a header is exempt: no page
 * can make a browser send it. A request with neither header comes from no browser, or from an old one that the token stops.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest, onRequestHookHandler, preParsingHookHandler } from 'fastify'
import { isAmbient, isInner, mayBeCookie, refusing } from 'svc-kernel/plugin'
import { CrossSite, CsrfTokenMissing } from '../errors.ts'
import type { SecurityJournal } from '../journal/security-journal.ts'
import type { CsrfConfig } from '../options.ts'
import type { SessionService } from '../sessions/session-service.ts'

/** The header that brings the token. */
export const CSRF_HEADER = 'x-csrf-token'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** Part of the derivation; never changes. */
const CONTEXT = 'svc-security/csrf'

export interface CsrfParts {
  readonly setting: CsrfConfig
  /** `null` where the application keeps no accounts: its sessions are not those of this plugin. */
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
  check(request: FastifyRequest): Error | null {
    if (SAFE.has(request.method) || request.token === null || !isAmbient(request.token)) return null
    // A browser adds nothing by itself to a WebSocket message; the page was checked when the socket was opened.
    if (isInner(request)) return null
    return this.checkPage(request) ?? this.#checkToken(request)
  }

  /** A request to a route that bypasses the firewall and reads the session itself. */
  checkSession(request: FastifyRequest): Error | null {
    if (request.token !== null) return this.check(request)
    if (SAFE.has(request.method) || this.#idOf(request) === null) return null
    return this.checkPage(request) ?? this.#checkToken(request)
  }

  /** Only the page: for a login, where there is no session yet. */
  checkPage(request: FastifyRequest): Error | null {
    if (!this.#parts.setting.enabled) return null
    const fault = pageFault(checkOrigin(request, this.#trusted), request.headers['sec-fetch-site'])
    return fault === null ? null : this.#refuse(request, fault, new CrossSite())
  }

  /** Of a session of this plugin. A foreign one has no token; its page was checked, as that of Basic and of certificates. */
  #checkToken(request: FastifyRequest): Error | null {
    const { token } = request
    const id = this.#idOf(request)
    if (!this.#parts.setting.enabled || id === null || (token !== null && !mayBeCookie(token))) return null
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

/** Before a route that asks for it. */
export function csrfGate(guard: CsrfGuard): preParsingHookHandler {
  const refuseForeignPages: preParsingHookHandler = (request, _reply, payload, done) => {
    done(guard.checkSession(request), payload)
  }
  return refusing(refuseForeignPages, CrossSite, CsrfTokenMissing)
}

/** Before a login, which has no session yet: only its page. */
export function pageGate(guard: CsrfGuard): onRequestHookHandler {
  const refuseForeignLogins: onRequestHookHandler = (request, _reply, done) => {
    done(guard.checkPage(request) ?? undefined)
  }
  return refusing(refuseForeignLogins, CrossSite)
}

/**
 * The synchroniser token of a session: an HMAC under the session id, which only the browser and, hashed, the store
 * have. It is new with each session and cannot be planted.
 */
export function csrfToken(sessionId: string): string {
  return createHmac('sha256', sessionId).update(CONTEXT).digest('base64url')
}

export function isCsrfToken(given: unknown, sessionId: string): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(given), Buffer.from(csrfToken(sessionId))]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whether the `Origin` is this host's or a trusted one; `absent` without one. */
export type OriginVerdict = 'allowed' | 'refused' | 'absent'

/**
 * Pages of this very origin, scheme, host and port, and those listed (RFC 6455, 10.2). A WebSocket is asked the same:
 * browsers send cookies with an upgrade from anywhere, and no CORS check precedes it.
 */
export function checkOrigin(request: FastifyRequest, trusted: ReadonlySet<string>): OriginVerdict {
  const { origin } = request.headers
  if (origin === undefined) return 'absent'
  if (trusted.has(origin)) return 'allowed'
  return ownOrigins(request).includes(origin) ? 'allowed' : 'refused'
}

/** The scheme is that of the socket, or of a trusted proxy; unknown, either passes. */
function ownOrigins(request: FastifyRequest): string[] {
  const { protocol, host } = request as { protocol: string | undefined; host: string }
  const schemes = protocol === undefined ? ['http', 'https'] : [protocol]
  return schemes
    .map((scheme) => `${scheme}://${host}`)
    .filter((origin) => host !== '' && URL.canParse(origin))
    .map((origin) => new URL(origin).origin)
}

/** @returns why the page may not change anything, or `null` when nothing speaks against it */
export function pageFault(origin: OriginVerdict, fetchSite: unknown): 'origin' | 'fetch-site' | null {
  if (origin === 'refused') return 'origin'
  if (origin === 'allowed' || fetchSite === undefined) return null
  return fetchSite === 'same-origin' || fetchSite === 'none' ? null : 'fetch-site'
}
