/**
 * Writes audit records, where svc-audit is registered: what was done, each with where it came from. Never a throw into
 * the caller, never a wait for the sink. And what log and audit may read of an error, whatever was thrown: plain
 * strings, and beside the uniform text of a refusal its true cause and whom it named. An answer never shows either.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { type AuditPort, type AuditRecord, currentRequest } from 'svc-kernel'
import { isThenable, printable, readableError } from 'svc-kernel/plugin'
import { InvalidCredentials, InvalidToken } from '../errors.ts'

export { printable, readableError }

/** What a producer says of an event; where it came from is added here. */
export type AuditedFact = Pick<
  AuditRecord,
  'category' | 'action' | 'outcome' | 'actor' | 'resource' | 'reason' | 'metadata'
>

export class AuditWriter {
  protected readonly fastify: FastifyInstance
  #audit: AuditPort | null = null

  constructor(fastify: FastifyInstance) {
    this.fastify = fastify
  }

  /** A part of the firewall that may fail without changing the answer, such as `onFailure`. */
  mishap(what: string, error: unknown, request: FastifyRequest | undefined): void {
    this.log(request).error({ error: readableError(error) }, what)
  }

  /** What was done rather than refused, such as a login or a revocation. The request is the ambient one unless given. */
  done(event: AuditRecord, request: FastifyRequest | undefined = currentRequest()): void {
    this.record(request, event)
  }

  protected log(request: FastifyRequest | undefined): FastifyBaseLogger {
    return request?.log ?? this.fastify.log
  }

  /**
   * Whether a refusal needs no record any more: nobody keeps records, or the journal has counted it among those that its
   * caller repeats.
   */
  protected isAccountedFor(action: string, request: FastifyRequest | undefined, actor: string | null = null): boolean {
    const audit = this.#port()
    if (audit === null) return true
    if (request === undefined || audit.countRepeated === undefined) return false
    try {
      return audit.countRepeated(action, request.ip, actor)
    } catch (error) {
      this.#sinkFailed(error)
      return true
    }
  }

  protected record(request: FastifyRequest | undefined, fact: AuditedFact): void {
    const audit = this.#port()
    if (audit === null) return
    try {
      const answer: unknown = audit.record(request === undefined ? fact : located(fact, request))
      if (isThenable(answer)) answer.then(undefined, (error) => this.#sinkFailed(error))
    } catch (error) {
      this.#sinkFailed(error)
    }
  }

  /** `null` as long as no journal is registered. */
  #port(): AuditPort | null {
    if (this.#audit === null && this.fastify.hasDecorator('audit')) this.#audit = this.fastify.audit
    return this.#audit
  }

  #sinkFailed(error: unknown): void {
    this.fastify.log.error({ error: readableError(error) }, 'the audit journal refused a record')
  }
}

/** One shape for all, as spread objects were measured at a third of a record. */
function located(fact: AuditedFact, request: FastifyRequest): AuditRecord {
  const userAgent = request.headers['user-agent']
  return {
    category: fact.category,
    action: fact.action,
    outcome: fact.outcome,
    actor: fact.actor,
    resource: fact.resource,
    reason: fact.reason,
    metadata: fact.metadata,
    ip: request.ip,
    userAgent: userAgent === undefined ? null : printable(userAgent),
    requestId: request.id
  } as AuditRecord
}

/** Carries the true cause of a refusal beside its text: the audit reads `reason`. */
export function refusedFor<Refused extends Error>(
  error: Refused,
  reason: string
): Refused & { readonly reason: string } {
  return Object.assign(error, { reason })
}

/** A refused name, password or code, with its true cause. */
export function credentialsRefused(reason: string): Error {
  return refusedFor(new InvalidCredentials(), reason)
}

/** A refused token or API key, with its true cause. */
export function tokenRefused(reason: string): Error {
  return refusedFor(new InvalidToken(), reason)
}

/**
 * Carries whom a refused credential named, as submitted, whether or not there is such a user.
 *
 * @returns the same error, to be thrown on
 */
export function submittedBy(error: unknown, identifier: string): unknown {
  return error instanceof Error && Object.isExtensible(error) ? Object.assign(error, { actor: identifier }) : error
}

/** @returns `null` where no user was named, or it cannot be read */
export function submitterOf(error: unknown): string | null {
  try {
    const { actor } = error as { actor?: unknown }
    return typeof actor === 'string' ? actor : null
  } catch {
    return null
  }
}
