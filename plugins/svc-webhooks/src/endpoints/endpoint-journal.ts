/** What administrators do to endpoints, for the audit journal: who, from where, to which endpoint. */
import type { FastifyInstance } from 'fastify'
import { type AuditRecord, currentRequest, currentUser } from 'svc-kernel'

type EndpointDeed = 'created' | 'updated' | 'deleted' | 'rotated' | 'revealed' | 'test'

export class EndpointJournal {
  readonly #fastify: FastifyInstance

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
  }

  /** @param id of the endpoint @param more `metadata` and `reason` of the record */
  done(deed: EndpointDeed, id: string, more: Pick<AuditRecord, 'metadata' | 'reason'> = {}): void {
    if (!this.#fastify.hasDecorator('audit')) return
    const request = currentRequest()
    const origin =
      request === undefined
        ? {}
        : { ip: request.ip, userAgent: request.headers['user-agent'] ?? null, requestId: request.id }
    this.#fastify.audit.record({
      category: 'webhook',
      action: `webhook.${deed}`,
      outcome: 'success',
      actor: actorOf(),
      resource: id,
      ...origin,
      ...more
    })
  }
}

/** Who acts; `null` outside a request. */
export function actorOf(): string | null {
  return currentRequest() === undefined ? null : currentUser().identifier
}
