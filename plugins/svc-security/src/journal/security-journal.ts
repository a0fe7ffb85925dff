/**
 * Where refusals are told: one log line and, where svc-audit is registered, one
 * audit record each. Never a credential or a header in the log, never a throw
 * into the caller, never a wait for the sink. Grants are not recorded.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { type AuditRecord, currentRequest } from 'svc-kernel'
import { isThenable } from '../promises/maybe-promise.ts'
import { printable, readableError, submitterOf } from './readable-error.ts'

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

export class SecurityJournal {
  readonly #fastify: FastifyInstance

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
  }

  /** A WARN line and an `access.denied` record; a failed voter also shows at ERROR. */
  accessDenied(denial: AccessDenial, request: FastifyRequest | undefined): void {
    const log = this.#log(request)
    const actor = denial.actor === null ? null : printable(denial.actor)
    const attribute = printable(denial.attribute)
    const told = {
      attribute,
      reason: denial.reason,
      actor,
      ...(denial.voter == null ? {} : { voter: denial.voter }),
      ...(denial.detail == null ? {} : { detail: printable(denial.detail) })
    }
    if (denial.reason === 'error') log.error({ ...told, error: readableError(denial.error) }, 'a voter failed')
    log.warn(told, 'access denied')
    this.#record(request, () => ({
      category: 'authz',
      action: 'access.denied',
      outcome: 'denied',
      actor,
      resource: attribute,
      reason: denial.reason,
      metadata: { voter: told.voter ?? null, detail: told.detail ?? null }
    }))
  }

  /**
   * A credential was presented and refused. INFO when the authenticator said so
   * (`statusCode` 401 or 429), WARN when it threw something else, ERROR when it cannot work: once per outage.
   */
  authenticationFailed(failure: AuthenticationFailure, request: FastifyRequest): void {
    const { zone, authenticator, status } = failure
    const { stack, ...error } = readableError(failure.error)
    const level = this.#levelOf(failure, error.statusCode)
    const told = level === 'info' ? error : { ...error, stack }
    this.#log(request)[level]({ zone, authenticator, status, error: told }, 'authentication failed')
    const actor = submitterOf(failure.error)
    this.#record(request, () => ({
      category: 'auth',
      action: status === 429 ? 'auth.throttled' : 'auth.failure',
      outcome: 'failure',
      actor: actor === null ? null : printable(actor),
      resource: zone,
      reason: error.reason ?? error.code ?? error.message,
      metadata: { authenticator, zone }
    }))
  }

  /** No authenticator of a zone claimed the request. No log line: every crawler would write one. */
  proofMissing(zone: string, request: FastifyRequest): void {
    this.#record(request, () => ({
      category: 'auth',
      action: 'auth.denied',
      outcome: 'denied',
      actor: null,
      resource: zone,
      reason: 'no_proof',
      metadata: { zone }
    }))
  }

  /** A browser asked on behalf of a page of another origin, and nothing allowed it. */
  corsRejected(origin: string, request: FastifyRequest): void {
    this.#record(request, () => ({
      category: 'cors',
      action: 'cors.rejected',
      outcome: 'denied',
      actor: null,
      resource: printable(request.routeOptions.url ?? ''),
      reason: printable(origin)
    }))
  }

  /** A browser page of another origin tried to open a WebSocket. */
  originRejected(origin: string | null, request: FastifyRequest): void {
    const shown = origin === null ? null : printable(origin)
    this.#log(request).warn({ origin: shown }, 'WebSocket upgrade refused: the origin is not allowed')
    this.#record(request, () => ({
      category: 'ws',
      action: 'origin.rejected',
      outcome: 'denied',
      actor: request.token?.getUserIdentifier() ?? null,
      resource: printable(request.routeOptions.url ?? ''),
      reason: shown ?? 'no origin'
    }))
  }

  /** A part of the firewall that may fail without changing the answer, such as `onFailure`. */
  mishap(what: string, error: unknown, request: FastifyRequest): void {
    this.#log(request).error({ error: readableError(error) }, what)
  }

  /** What was done rather than refused, such as a login or a revocation. The request is the ambient one unless given. */
  done(event: AuditRecord, request: FastifyRequest | undefined = currentRequest()): void {
    this.#record(request, () => event)
  }

  #levelOf(
    { status, error }: AuthenticationFailure,
    ownStatus: number | undefined
  ): 'debug' | 'info' | 'warn' | 'error' {
    if (status === 503) return this.#fastify.outageLog.isNews(error) ? 'error' : 'debug'
    return ownStatus === status ? 'info' : 'warn'
  }

  #log(request: FastifyRequest | undefined): FastifyBaseLogger {
    return request?.log ?? this.#fastify.log
  }

  #record(request: FastifyRequest | undefined, event: () => AuditRecord): void {
    if (!this.#fastify.hasDecorator('audit')) return
    try {
      const answer: unknown = this.#fastify.audit.record({ ...event(), ...origin(request) })
      if (isThenable(answer)) answer.then(undefined, (error) => this.#sinkFailed(error))
    } catch (error) {
      this.#sinkFailed(error)
    }
  }

  #sinkFailed(error: unknown): void {
    this.#fastify.log.error({ error: readableError(error) }, 'the audit journal did not take a record')
  }
}

function origin(request: FastifyRequest | undefined): Partial<AuditRecord> {
  if (request === undefined) return {}
  const userAgent = request.headers['user-agent']
  return { ip: request.ip, userAgent: userAgent === undefined ? null : printable(userAgent), requestId: request.id }
}
