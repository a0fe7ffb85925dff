/**
 * Writes audit records, where svc-audit is registered: what was done, each with where it came from. Never a throw into
 * the caller, never a wait for the sink.
 */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { type AuditRecord, currentRequest } from 'svc-kernel'
import { isThenable } from '../promises/maybe-promise.ts'
import { printable, readableError } from './readable-error.ts'

export class AuditWriter {
  protected readonly fastify: FastifyInstance

  constructor(fastify: FastifyInstance) {
    this.fastify = fastify
  }

  /** A part of the firewall that may fail without changing the answer, such as `onFailure`. */
  mishap(what: string, error: unknown, request: FastifyRequest): void {
    this.log(request).error({ error: readableError(error) }, what)
  }

  /** What was done rather than refused, such as a login or a revocation. The request is the ambient one unless given. */
  done(event: AuditRecord, request: FastifyRequest | undefined = currentRequest()): void {
    this.record(request, () => event)
  }

  protected log(request: FastifyRequest | undefined): FastifyBaseLogger {
    return request?.log ?? this.fastify.log
  }

  protected record(request: FastifyRequest | undefined, event: () => AuditRecord): void {
    if (!this.fastify.hasDecorator('audit')) return
    try {
      const answer: unknown = this.fastify.audit.record({ ...event(), ...origin(request) })
      if (isThenable(answer)) answer.then(undefined, (error) => this.#sinkFailed(error))
    } catch (error) {
      this.#sinkFailed(error)
    }
  }

  #sinkFailed(error: unknown): void {
    this.fastify.log.error({ error: readableError(error) }, 'the audit journal did not take a record')
  }
}

function origin(request: FastifyRequest | undefined): Partial<AuditRecord> {
  if (request === undefined) return {}
  const userAgent = request.headers['user-agent']
  return { ip: request.ip, userAgent: userAgent === undefined ? null : printable(userAgent), requestId: request.id }
}
