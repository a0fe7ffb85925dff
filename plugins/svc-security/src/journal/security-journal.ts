/**
 * Records refusals: one log line and, where svc-audit is registered, one audit
 * record each, which names the method and the template of the route: never the URL, which may hold what nobody is to
 * read. Never a credential or a header in the log. Grants are not recorded.
 */
import type { FastifyRequest } from 'fastify'
import type { AccessToken } from 'svc-kernel'
import { routeConfigReader } from 'svc-kernel/plugin'
import { AuditWriter, printable, readableError, submitterOf } from './audit-writer.ts'

export interface AccessDenial {
  readonly actor: string | null
  readonly attribute: string
  readonly reason: string
  /** The voter that decided, and what it gave as its reason. */
  readonly voter?: string | null
  readonly detail?: string | null
  readonly error?: unknown
}

export interface AuthenticationFailure {
  readonly zone: string
  readonly authenticator: string | null
  readonly status: number
  readonly error: unknown
}

export class SecurityJournal extends AuditWriter {
  readonly #configOf = routeConfigReader()

  /** A WARN line and an `access.denied` record; a failed voter also shows at ERROR. */
  accessDenied(denial: AccessDenial, request: FastifyRequest | undefined): void {
    const log = this.log(request)
    const { reason } = denial
    const actor = denial.actor === null ? null : printable(denial.actor)
    const attribute = printable(denial.attribute)
    const voter = denial.voter ?? null
    const detail = denial.detail == null ? null : printable(denial.detail)
    const fields: Record<string, unknown> = { attribute, reason, actor }
    if (voter !== null) fields.voter = voter
    if (detail !== null) fields.detail = detail
    if (reason === 'error') log.error({ ...fields, error: readableError(denial.error) }, 'a voter failed')
    log.warn(fields, 'access denied')
    if (this.isAccountedFor('access.denied', request, actor)) return
    this.record(request, {
      category: 'authz',
      action: 'access.denied',
      outcome: 'denied',
      actor,
      resource: attribute,
      reason,
      metadata: { voter, detail, ...this.#routeOf(request) }
    })
  }

  /** A login lacks the factor that its area or its role needs. */
  factorMissing(token: AccessToken, attribute: string, request: FastifyRequest): void {
    const actor = token.getUserIdentifier()
    this.accessDenied({ actor, attribute, reason: 'veto', voter: 'proof', detail: 'requireFactor' }, request)
  }

  /**
   * A credential was presented and refused. INFO when the authenticator said so
   * (`statusCode` 401 or 429), WARN when it threw something else, ERROR when it cannot work: once per outage.
   */
  authenticationFailed(failure: AuthenticationFailure, request: FastifyRequest): void {
    const { zone, authenticator, status } = failure
    const error = readableError(failure.error, false)
    const level = this.#levelOf(failure, error.statusCode)
    const shown = level === 'info' ? error : readableError(failure.error)
    this.log(request)[level]({ zone, authenticator, status, error: shown }, 'authentication failed')
    const action = status === 429 ? 'auth.throttled' : 'auth.failure'
    const submitter = submitterOf(failure.error)
    const actor = submitter === null ? null : printable(submitter)
    if (this.isAccountedFor(action, request, actor)) return
    this.record(request, {
      category: 'auth',
      action,
      outcome: 'failure',
      actor,
      resource: zone,
      reason: error.reason ?? error.code ?? error.message,
      metadata: { authenticator, zone, ...this.#routeOf(request) }
    })
  }

  /** No authenticator of a zone claimed the request. No log line: every crawler would write one. */
  proofMissing(zone: string, request: FastifyRequest): void {
    if (this.isAccountedFor('auth.denied', request)) return
    this.record(request, {
      category: 'auth',
      action: 'auth.denied',
      outcome: 'denied',
      actor: null,
      resource: zone,
      reason: 'no_proof',
      metadata: { zone, ...this.#routeOf(request) }
    })
  }

  /** A browser asked on behalf of a page of another origin, and nothing allowed it. */
  corsRejected(origin: string, request: FastifyRequest): void {
    this.record(request, {
      category: 'cors',
      action: 'cors.rejected',
      outcome: 'denied',
      actor: null,
      resource: printable(request.routeOptions.url ?? ''),
      reason: printable(origin)
    })
  }

  /** A browser page of another origin tried to open a WebSocket. */
  originRejected(origin: string | null, request: FastifyRequest): void {
    const shown = origin === null ? null : printable(origin)
    this.log(request).warn({ origin: shown }, 'WebSocket upgrade refused: the origin is not allowed')
    this.record(request, {
      category: 'ws',
      action: 'origin.rejected',
      outcome: 'denied',
      actor: request.token?.getUserIdentifier() ?? null,
      resource: printable(request.routeOptions.url ?? ''),
      reason: shown ?? 'no origin'
    })
  }

  /** Where no route answers there is no template. */
  #routeOf(request: FastifyRequest | undefined): { method: string | null; route: string | null } {
    if (request === undefined) return { method: null, route: null }
    const { url } = this.#configOf(request)
    return { method: request.method, route: url === undefined ? null : printable(url) }
  }

  #levelOf(
    { status, error }: AuthenticationFailure,
    ownStatus: number | undefined
  ): 'debug' | 'info' | 'warn' | 'error' {
    if (status === 503) return this.fastify.outageLog.firstOccurrence(error) ? 'error' : 'debug'
    return ownStatus === status ? 'info' : 'warn'
  }
}
