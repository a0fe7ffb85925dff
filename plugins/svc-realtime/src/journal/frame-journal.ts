/** Where refused frames are told: one log line and, where svc-audit is registered, one `frame.denied` record. */
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface FrameDenial {
  /** The channel that was refused; `null` where the frame was not even read. */
  readonly resource: string | null
  readonly reason: 'forbidden' | 'limit' | 'flood'
}

export class FrameJournal {
  readonly #fastify: FastifyInstance

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
  }

  denied(request: FastifyRequest, { resource, reason }: FrameDenial): void {
    const actor = request.token?.getUserIdentifier() ?? null
    request.log.warn({ resource, reason, actor }, 'a WebSocket frame was refused')
    if (!this.#fastify.hasDecorator('audit')) return
    this.#fastify.audit.record({
      category: 'ws',
      action: 'frame.denied',
      outcome: 'denied',
      actor,
      resource,
      reason,
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
      requestId: request.id
    })
  }
}
